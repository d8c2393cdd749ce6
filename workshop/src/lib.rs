//! The workshop extends a codebase under test protection: an idea becomes a card, a card's
//! open function becomes a task with visible cases, an agent with four tools patches a
//! sandboxed copy, a judge whose hidden cases never enter a process that runs the agent's
//! code decides, a person reviews the diff, and only then does code mark the function built.

pub mod agent;
pub mod cards;
pub mod chat;
pub mod cli;
pub mod commands;
pub mod config;
pub mod copy;
pub mod diff;
pub mod history;
pub mod journal;
pub mod json;
pub mod judge;
pub mod model;
pub mod paths;
pub mod plan;
pub mod replay;
pub mod review;
pub mod runner;
pub mod sandbox;
pub mod score;
pub mod session;
pub mod state;
pub mod task;
pub mod text;
pub mod toolchain;
pub mod tools;
pub mod words;
