//! The judge: decides on a patch where the agent's code is not.
