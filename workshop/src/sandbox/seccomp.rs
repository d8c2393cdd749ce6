//! The system calls that a confined process does not get.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use nix::libc;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter,
};

use super::Phase;

/// Refused always: the network, other processes, kernel features with a history, mounts.
const REFUSED: &[i64] = &[
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_bpf,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_fanotify_init,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_vhangup,
    // Memory and queues that outlive a process would carry state from one probe to the next.
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
    // Other processes of the same user.
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
];

/// Refused to code under test as well: Landlock does not know modes, owners, times and
/// extended attributes, and a changed time could pass off a stale build as fresh.
const REFUSED_IN_RUN: &[i64] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
];

#[cfg(target_arch = "x86_64")]
const REFUSED_IN_RUN_OLD: &[i64] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_IN_RUN_OLD: &[i64] = &[];

/// Calls newer than the C library's list, with the same number on every architecture:
/// `setxattrat`, `removexattrat`, `file_setattr`.
const REFUSED_IN_RUN_NEW: &[i64] = &[463, 466, 469];

const NAMESPACES: [libc::c_int; 8] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    0x80, // CLONE_NEWTIME
];

/// Installs the filters for good.
pub(super) fn restrict(phase: Phase) -> Result<()> {
    let mut rules = BTreeMap::new();
    for call in REFUSED {
        rules.insert(*call, Vec::new());
    }
    if phase == Phase::Run {
        for call in REFUSED_IN_RUN.iter().chain(REFUSED_IN_RUN_OLD).chain(REFUSED_IN_RUN_NEW) {
            rules.insert(*call, Vec::new());
        }
    }
    // A datagram pair could send to any address by name; a stream pair cannot.
    rules.insert(
        libc::SYS_socketpair,
        vec![
            rule(0, SeccompCmpOp::Ne, number(libc::AF_UNIX))?,
            rule(1, SeccompCmpOp::MaskedEq(0xf), number(libc::SOCK_DGRAM))?,
        ],
    );
    // Limits of other processes: the same user could otherwise lower the workshop's.
    rules.insert(libc::SYS_prlimit64, vec![rule(0, SeccompCmpOp::Ne, 0)?]);
    let mut clone = Vec::new();
    for flag in NAMESPACES {
        clone.push(rule(0, SeccompCmpOp::MaskedEq(number(flag)), number(flag))?);
    }
    rules.insert(libc::SYS_clone, clone);
    if cfg!(target_arch = "x86_64") {
        // The same calls by their numbers in the x32 interface.
        let again: Vec<_> =
            rules.iter().map(|(call, rule)| (call | 0x4000_0000, rule.clone())).collect();
        rules.extend(again);
    }
    install(rules, libc::EPERM)?;
    // The C library falls back to clone, whose flags can be looked at.
    install(BTreeMap::from([(libc::SYS_clone3, Vec::new())]), libc::ENOSYS)
}

fn number(value: libc::c_int) -> u64 {
    u64::from(value.unsigned_abs())
}

fn rule(argument: u8, op: SeccompCmpOp, value: u64) -> Result<SeccompRule> {
    let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, op, value)?;
    Ok(SeccompRule::new(vec![condition])?)
}

/// Makes the named calls fail with `errno`.
pub(super) fn install(rules: BTreeMap<i64, Vec<SeccompRule>>, errno: libc::c_int) -> Result<()> {
    let arch = std::env::consts::ARCH.try_into().context("seccomp: unknown architecture")?;
    let refuse = SeccompAction::Errno(errno.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch)?;
    let program: BpfProgram = filter.try_into()?;
    apply_filter(&program).context("seccomp cannot be enforced")
}
