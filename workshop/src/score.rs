//! The scorecard of a run.
