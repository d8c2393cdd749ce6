//! Cards: what a project is meant to do, as files a person reads, and the proposals that
//! change them one place at a time. A model describes how a card should look; what changes
//! is computed here, and nothing is written before a person has accepted it.

pub mod answer;
pub mod apply;
pub mod atomic;
pub mod card;
pub mod cases;
pub mod check;
pub mod command;
pub mod error;
pub mod files;
pub mod parse;
pub mod pending;
pub mod proposal;
pub mod propose;
pub mod refresh;
pub mod review;
pub mod sektionen;
pub mod show;
pub mod store;
pub mod style;
