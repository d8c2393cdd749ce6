//! A limit on processes that also holds for the superuser: a pids control group.

use std::fs;
use std::path::{Path, PathBuf};

use rustix::process::{Pid, getpid};

/// A control group with a limit; removed when dropped.
#[derive(Debug)]
pub(super) struct Group {
    dir: PathBuf,
}

impl Group {
    /// Makes a group if the kernel offers one that this process may write.
    pub(super) fn new(limit: u64) -> Option<Group> {
        let name = format!("workshop-{}", getpid().as_raw_nonzero());
        let dir = parents().into_iter().map(|parent| parent.join(&name)).find(|dir| {
            if fs::create_dir(dir).is_err() {
                return false;
            }
            let works = fs::write(dir.join("pids.max"), limit.to_string()).is_ok();
            if !works {
                fs::remove_dir(dir).ok();
            }
            works
        })?;
        Some(Group { dir })
    }

    /// The folder of the group.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// The processes in the group.
    pub(super) fn members(&self) -> Vec<Pid> {
        let text = fs::read_to_string(self.dir.join("cgroup.procs")).unwrap_or_default();
        text.lines().filter_map(|line| Pid::from_raw(line.parse().ok()?)).collect()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for _ in 0..100 {
            if fs::remove_dir(&self.dir).is_ok() || !self.dir.exists() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }
}

/// The groups that this process is in, as folders: version 1 `pids`, then version 2.
fn parents() -> Vec<PathBuf> {
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    let mount_of = |wanted: &dyn Fn(&str, &str) -> bool| {
        mounts.lines().find_map(|line| {
            let mut words = line.split(' ').skip(1);
            let (at, kind, options) = (words.next()?, words.next()?, words.next()?);
            wanted(kind, options).then(|| PathBuf::from(at))
        })
    };
    let mut found = Vec::new();
    for line in own.lines() {
        let mut parts = line.splitn(3, ':');
        let (_, Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let at = if controllers.split(',').any(|name| name == "pids") {
            mount_of(&|kind, options| {
                kind == "cgroup" && options.split(',').any(|name| name == "pids")
            })
        } else if controllers.is_empty() {
            mount_of(&|kind, _| kind == "cgroup2")
        } else {
            None
        };
        if let Some(at) = at {
            found.push(at.join(path.trim_start_matches('/')));
        }
    }
    found
}

/// Puts this process into the group.
pub(super) fn join(dir: &Path) -> std::io::Result<()> {
    fs::write(dir.join("cgroup.procs"), "0")
}
