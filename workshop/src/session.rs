//! A session: one copy, one task, one patch.
