//! Tests of the workshop's core.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;
mod copy;
mod e2e;
mod fraud;
mod grammar;
mod hidden;
mod judge;
mod r#loop;
mod model;
mod project;
mod replay;
mod review;
mod runner;
mod sandbox;
#[path = "../server/mod.rs"]
mod server;
mod strength;
mod tools;
