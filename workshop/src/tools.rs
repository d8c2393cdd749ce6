//! The four tools of the agent.
