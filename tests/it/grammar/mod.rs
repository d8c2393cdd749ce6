//! Grammars that are read at run time.

mod check;
mod examples;
mod faults;
mod house;
mod parity;
mod systems;
