//! Runs the visible suite and says what each test did.
