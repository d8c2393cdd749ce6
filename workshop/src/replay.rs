//! The canonical runs, fed again and compared.
