//! The sandbox: every escape is refused, and where it cannot be, nothing runs.

use std::time::{Duration, Instant};

use workshop::config::{self, Backend};
use workshop::sandbox::{Jail, Unavailable, doctor};

use crate::common::{folder, jail, job, program, workshop, write};

#[test]
fn every_escape_works_outside_and_is_refused_inside() {
    let report = doctor::examine(&jail(), &program()).unwrap();
    let lines: Vec<String> = report
        .findings
        .iter()
        .map(|f| format!("{}: {:?} outside, {:?} inside", f.name, f.outside, f.inside))
        .collect();
    let expected: Vec<String> = [
        "read the hidden file",
        "write a test",
        "write a source file",
        "create a file in the copy",
        "write outside",
        "change the time of a source file",
        "rename a source file",
        "connect by TCP",
        "send by UDP",
        "connect to an abstract socket",
        "connect to a socket in the file system",
        "read another process's environment",
        "signal another process",
        "survive as a daemon",
        "start more processes than allowed",
        "write a file of 2 GiB",
        "reserve 3 GiB of memory",
        "include the hidden file while compiling",
        "rewrite a test from build.rs",
    ]
    .iter()
    .map(|name| format!("{name}: Works outside, Refused inside"))
    .collect();
    assert_eq!(lines, expected);
    assert_eq!(report.skipped, Vec::<String>::new());
}

#[test]
fn without_a_kernel_feature_nothing_runs_and_the_exit_code_is_4() {
    let (_keep, root) = folder();
    for feature in ["landlock", "seccomp"] {
        let program = program();
        let output = workshop(&root)
            .args(["__without", feature, "--", program.to_str().unwrap(), "doctor"])
            .current_dir(&root)
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(4), "{stderr}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "");
        let start =
            format!("workshop: sandbox unavailable: workshop: {feature} cannot be enforced");
        assert!(stderr.starts_with(&start), "{stderr}");
    }
}

#[test]
fn the_sandbox_is_not_switched_off_by_the_configuration_alone() {
    let settings = config::Sandbox { backend: Backend::Off, ..config::Sandbox::default() };
    let error = Jail::new(&settings, &program(), false).unwrap_err();
    assert_eq!(
        error.downcast_ref::<Unavailable>(),
        Some(&Unavailable("backend = \"off\" needs --unsafe-no-sandbox".into()))
    );
    let (_keep, tmp) = folder();
    let ran = Jail::new(&settings, &program(), true)
        .unwrap()
        .run(&job(&tmp, &["echo", "unconfined"]))
        .unwrap();
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "unconfined\n"));
    assert!(ran.enforced.starts_with("nothing: the sandbox is off"), "{}", ran.enforced);
}

#[test]
fn output_input_code_and_environment_are_passed_exactly() {
    let (_keep, tmp) = folder();
    let mut job = job(&tmp, &["/bin/sh", "-c", "cat; env | sort; echo bad >&2; exit 7"]);
    job.stdin = "line\n".into();
    let ran = jail().run(&job).unwrap();
    let home = tmp.display();
    assert_eq!(
        ran.stdout,
        format!(
            "line\nHOME={home}\nLANG=C.UTF-8\nPATH=/usr/bin:/bin\nPWD={home}\n\
             RUST_BACKTRACE=0\nTMPDIR={home}\n"
        )
    );
    assert_eq!((ran.code, ran.signal, ran.stderr.as_str()), (Some(7), None, "bad\n"));
    assert_eq!((ran.timed_out, ran.truncated, ran.survivors), (false, false, 0));
}

#[test]
fn a_program_cannot_pretend_that_it_was_confined() {
    let (_keep, tmp) = folder();
    let argv = ["/bin/sh", "-c", "echo 'workshop-sandbox ready: nothing'; echo more"];
    let ran = jail().run(&job(&tmp, &argv)).unwrap();
    assert_eq!(ran.stdout, "workshop-sandbox ready: nothing\nmore\n");
    assert!(ran.enforced.starts_with("landlock ABI "), "{}", ran.enforced);
}

#[test]
fn time_runs_out_for_the_whole_family() {
    let (_keep, tmp) = folder();
    let script = "setsid sleep 60 & (sleep 60 & sleep 60) & sleep 60";
    let mut job = job(&tmp, &["/bin/sh", "-c", script]);
    job.timeout = Duration::from_millis(500);
    let start = Instant::now();
    let ran = jail().run(&job).unwrap();
    assert!(start.elapsed() < Duration::from_secs(10));
    assert_eq!((ran.timed_out, ran.code, ran.signal), (true, None, Some(9)));
    assert!(ran.survivors >= 3, "{ran:?}");
}

#[test]
fn a_flood_of_output_is_cut() {
    let (_keep, tmp) = folder();
    let ran = jail().run(&job(&tmp, &["head", "-c", "9000000", "/dev/zero"])).unwrap();
    assert!(ran.truncated);
    assert!(ran.stdout.len() <= 4 * 1024 * 1024);
    assert_eq!(ran.code, Some(0));
}

#[test]
fn a_missing_path_is_an_error_and_not_a_smaller_sandbox() {
    let (_keep, tmp) = folder();
    let mut job = job(&tmp, &["true"]);
    job.read.push(tmp.join("nowhere"));
    let error = jail().run(&job).unwrap_err();
    assert!(error.is::<Unavailable>());
    let missing =
        format!("sandbox unavailable: workshop: {} is missing", tmp.join("nowhere").display());
    assert_eq!(error.to_string(), missing);
}

#[test]
fn descriptors_of_the_caller_do_not_leak() {
    let (_keep, tmp) = folder();
    write(&tmp, &[("secret/file", "secret\n")]);
    let inner = tmp.join("inner");
    std::fs::create_dir(&inner).unwrap();
    // A shell hands an open file to the workshop's helper; the program inside must not get it.
    let order = workshop_order(&inner);
    let script =
        format!("exec 7<{0}/secret/file; exec {1} __supervise", tmp.display(), program().display());
    let mut child = std::process::Command::new("/bin/bash")
        .args(["-c", &script])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, order.as_bytes()).unwrap();
    let mut answer = String::new();
    std::io::Read::read_to_string(child.stdout.as_mut().unwrap(), &mut answer).unwrap();
    drop(stdin);
    child.wait().unwrap();
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["Ran"]["stdout"], "closed\n", "{answer}");
}

fn workshop_order(tmp: &std::path::Path) -> String {
    let script = "if { cat <&7; } 2>/dev/null; then echo leaked; else echo closed; fi";
    let job = job(tmp, &["/bin/bash", "-c", script]);
    let order = serde_json::json!({
        "job": job, "backend": "native", "memory_mb": 1024, "processes": 32, "cgroup": null,
    });
    format!("{order}\n")
}

#[test]
fn bubblewrap_confines_as_well_or_says_that_it_cannot() {
    let settings = config::Sandbox { backend: Backend::Bwrap, ..config::Sandbox::default() };
    let jail = match Jail::new(&settings, &program(), false) {
        Ok(jail) => jail,
        Err(error) => {
            let reason = error.downcast_ref::<Unavailable>().unwrap().0.clone();
            assert!(reason.starts_with("bubblewrap "), "{reason}");
            eprintln!("skipped: {reason}");
            return;
        }
    };
    let report = doctor::examine(&jail, &program()).unwrap();
    assert!(report.healthy(), "{}", report.text());
    assert!(report.enforced.starts_with("bubblewrap"), "{}", report.enforced);
}

#[test]
fn nothing_carries_state_from_one_process_to_the_next() {
    let (_keep, tmp) = folder();
    // Shared memory of the system, message queues, datagrams: ways past the file system.
    for call in ["shmget(1, 64, 0o1600)", "msgget(1, 0o1600)", "semget(1, 1, 0o1600)"] {
        let script =
            format!("import ctypes, sys; sys.exit(ctypes.CDLL(None, use_errno=True).{call} == -1)");
        let mut job = job(&tmp, &["/usr/bin/python3", "-c", &script]);
        job.write.clear();
        assert_eq!(jail().run(&job).unwrap().code, Some(1), "{call}");
    }
    let script = "import socket, sys\ntry: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\nexcept PermissionError: sys.exit(7)";
    assert_eq!(jail().run(&job(&tmp, &["/usr/bin/python3", "-c", script])).unwrap().code, Some(7));
    let script = "import socket; a, b = socket.socketpair(); a.send(b'x'); print(b.recv(1))";
    assert_eq!(
        jail().run(&job(&tmp, &["/usr/bin/python3", "-c", script])).unwrap().stdout,
        "b'x'\n"
    );
}
