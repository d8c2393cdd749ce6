//! Grammars that are read at run time.

mod check;
mod house;
mod parity;
mod systems;
