//! Grammars that are read at run time.

mod house;
mod parity;
