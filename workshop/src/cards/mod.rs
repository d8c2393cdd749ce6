//! Cards: what a project is meant to do, as files a person reads.
