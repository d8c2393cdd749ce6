//! Tests of the workshop's core.

mod common;
mod copy;
mod sandbox;
mod tools;
