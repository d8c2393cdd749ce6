//! The loop: ask, act, observe, within budgets.
