//! A process without a kernel feature, to show what happens where there is none.

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::process::Command;

use anyhow::{Result, anyhow, bail};
use nix::libc;

use super::seccomp;

/// The internal command that takes a feature away and becomes another program.
pub const WITHOUT: &str = "__without";

/// Becomes the program in `argv` on a kernel that seems to lack `feature`.
///
/// # Errors
/// When the feature is unknown or the program cannot be started.
pub fn without(feature: &str, argv: &[String]) -> Result<()> {
    let calls = match feature {
        "landlock" => vec![
            libc::SYS_landlock_create_ruleset,
            libc::SYS_landlock_add_rule,
            libc::SYS_landlock_restrict_self,
        ],
        "seccomp" => vec![libc::SYS_seccomp],
        _ => bail!("unknown feature {feature}"),
    };
    let Some((program, arguments)) = argv.split_first() else { bail!("nothing to run") };
    rustix::thread::set_no_new_privs(true)?;
    let rules = calls.into_iter().map(|call| (call, Vec::new())).collect::<BTreeMap<_, _>>();
    seccomp::install(rules, libc::ENOSYS)?;
    Err(anyhow!("cannot run {program}: {}", Command::new(program).args(arguments).exec()))
}
