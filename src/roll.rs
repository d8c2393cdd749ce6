//! Rolls.
