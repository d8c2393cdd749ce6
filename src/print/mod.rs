//! How trees and rolls are written.

mod roll;
mod table;
mod tree;
