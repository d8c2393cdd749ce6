//! The conversation in which cards are developed.
