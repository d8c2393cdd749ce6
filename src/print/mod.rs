//! How trees and rolls are written.

mod tree;
