//! Rolling.
