//! The history of the conversation, kept on disk.
