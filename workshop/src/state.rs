//! Where the workshop keeps its own files.
