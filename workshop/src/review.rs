//! A person accepts or rejects a patch.
