//! How trees and rolls are written.

mod roll;
mod steps;
mod table;
mod tree;
