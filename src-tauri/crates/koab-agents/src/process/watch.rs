//! Ends agents if koab itself was killed and could not end them.
//!
//! A shell receives the process groups of the running agents on its input. If the input ends while
//! there are groups, the shell ends the groups. `PR_SET_PDEATHSIG` is not an alternative: it exists
//! only on Linux, ends only the first process, and depends on the thread that started the process,
//! which may end earlier.

use rustix::process::Pid;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Script of the shell. Each line of its input contains all current groups, so only the last
/// complete line is used.
const SCRIPT: &str = "trap '' HUP INT TERM
while read -r line; do groups=$line; done
[ -n \"$groups\" ] || exit 0
for group in $groups; do kill -s TERM -- \"-$group\"; done
sleep 2
for group in $groups; do kill -s KILL -- \"-$group\"; done";

/// Process groups of all workspaces of this process. The shell waits for the end of the process,
/// which is the end of all of them, so one shell is enough.
static WATCH: Mutex<Watch> = Mutex::new(Watch { shell: None, groups: BTreeSet::new() });

struct Watch {
    /// The shell; it runs while there are groups.
    shell: Option<Child>,
    groups: BTreeSet<i32>,
}

/// Adds the process group of a program that has started.
pub(super) fn begin(group: Pid) {
    let mut watch = WATCH.lock().unwrap_or_else(PoisonError::into_inner);
    watch.groups.insert(group.as_raw_nonzero().get());
    watch.tell();
}

/// Removes the process group of a program that has ended.
pub(super) fn end(group: Pid) {
    let mut watch = WATCH.lock().unwrap_or_else(PoisonError::into_inner);
    watch.groups.remove(&group.as_raw_nonzero().get());
    watch.tell();
}

impl Watch {
    fn tell(&mut self) {
        if self.shell.is_none() && !self.groups.is_empty() {
            // Agents start even without the shell, because koab ends them itself unless it is
            // killed.
            self.shell = shell().ok();
        }
        let Some(shell) = &mut self.shell else {
            return;
        };
        let groups: Vec<String> = self.groups.iter().map(i32::to_string).collect();
        let line = groups.join(" ") + "\n";
        let result = shell.stdin.as_mut().map(|input| input.write_all(line.as_bytes()));
        let is_gone = !matches!(result, Some(Ok(())));
        if is_gone || self.groups.is_empty() {
            // The last line is empty, so that the shell ends no group.
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
        // A key or signal that ends koab's own group must not end the shell first.
        .process_group(0)
        .spawn()
}
