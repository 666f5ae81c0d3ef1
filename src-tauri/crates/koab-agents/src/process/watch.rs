//! Ends agents whose koab was killed outright and could not do it itself.
//!
//! A shell reads which process groups there are, and ends them when its input ends without their
//! having gone. That the system tells a child of its parent's death (`PR_SET_PDEATHSIG`) would be
//! of Linux alone, would reach the first process only, and means the thread that started it, which
//! may well end before.

use rustix::process::Pid;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// A line has all groups that there are; the last one that is whole counts.
const SCRIPT: &str = "trap '' HUP INT TERM
while read -r line; do groups=$line; done
[ -n \"$groups\" ] || exit 0
for group in $groups; do kill -s TERM -- \"-$group\"; done
sleep 2
for group in $groups; do kill -s KILL -- \"-$group\"; done";

static WATCH: Mutex<Watch> = Mutex::new(Watch { shell: None, groups: BTreeSet::new() });

struct Watch {
    /// As long as there are groups.
    shell: Option<Child>,
    groups: BTreeSet<i32>,
}

/// A group that has begun.
pub(super) fn begin(group: Pid) {
    let mut watch = WATCH.lock().unwrap_or_else(PoisonError::into_inner);
    watch.groups.insert(group.as_raw_nonzero().get());
    watch.tell();
}

/// A group that has been ended.
pub(super) fn end(group: Pid) {
    let mut watch = WATCH.lock().unwrap_or_else(PoisonError::into_inner);
    watch.groups.remove(&group.as_raw_nonzero().get());
    watch.tell();
}

impl Watch {
    fn tell(&mut self) {
        if self.shell.is_none() && !self.groups.is_empty() {
            // Without a shell agents are started all the same; koab ends them itself in all cases
            // but one.
            self.shell = shell().ok();
        }
        let Some(shell) = &mut self.shell else {
            return;
        };
        let groups: Vec<String> = self.groups.iter().map(i32::to_string).collect();
        let line = groups.join(" ") + "\n";
        let told = shell.stdin.as_mut().map(|input| input.write_all(line.as_bytes()));
        let is_gone = !matches!(told, Some(Ok(())));
        if is_gone || self.groups.is_empty() {
            // With an empty line as its last one it ends no group.
            drop(shell.stdin.take());
            let _ended = shell.wait();
            self.shell = None;
        }
    }
}

fn shell() -> std::io::Result<Child> {
    Command::new("/bin/sh")
        .args(["-c", SCRIPT])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // What ends koab's own group by a key or a signal must not end it first.
        .process_group(0)
        .spawn()
}
