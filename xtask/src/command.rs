//! Starts other programs: with output on the terminal, with captured output, or with a time limit.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{OnceLock, mpsc};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};

use crate::out;

/// Returns a cargo command in `root`.
///
/// `cargo run` sets variables about the package that it runs. Build scripts of some dependencies
/// (such as ring) watch these variables, so cargo would rebuild the dependencies each time. The
/// command therefore removes the variables.
pub(crate) fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let about_package = text.starts_with("CARGO_PKG_")
            || text.starts_with("CARGO_MANIFEST_")
            || matches!(&*text, "CARGO_BIN_NAME" | "CARGO_CRATE_NAME" | "CARGO_PRIMARY_PACKAGE" | "OUT_DIR");
        if about_package {
            command.env_remove(&name);
        }
    }
    if is_ci() {
        configure_single_pass(&mut command);
    }
    command
}

/// Whether this is a CI machine, where nobody builds by hand.
pub(crate) fn is_ci() -> bool {
    std::env::var_os("CI").is_some()
}

/// Makes cargo compile each workspace crate once for both lints and code, and llama.cpp with a
/// compiler cache.
///
/// This is only for CI. Cargo and build scripts track these settings, so a plain `cargo build`
/// without them would recompile everything.
fn configure_single_pass(command: &mut Command) {
    if let Some(driver) = clippy_driver() {
        command
            .env("RUSTC_WORKSPACE_WRAPPER", driver)
            .env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__");
    }
    if which("ccache").is_some() {
        for language in ["C", "CXX"] {
            command.env(format!("CMAKE_{language}_COMPILER_LAUNCHER"), "ccache");
        }
        // Without it the path of the build folder is part of the cache's key.
        command.env("CCACHE_NOHASHDIR", "1");
    }
}

/// Path of clippy's driver, a compiler that also runs the lints, next to the compiler.
fn clippy_driver() -> Option<&'static Path> {
    static DRIVER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let driver = DRIVER.get_or_init(|| {
        let sysroot = stdout_of(Command::new("rustc").args(["--print", "sysroot"])).ok()?;
        let driver = Path::new(sysroot.trim())
            .join("bin")
            .join(format!("clippy-driver{}", std::env::consts::EXE_SUFFIX));
        driver.is_file().then_some(driver)
    });
    driver.as_deref()
}

/// Returns an npm command in `folder`.
pub(crate) fn npm(folder: &Path) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(folder);
    command
}

/// Runs a command on the terminal. If the lines of this thread are collected, the output is
/// collected as well, stderr last.
///
/// # Errors
/// When it cannot be started or its exit code is not 0.
pub(crate) fn succeed(command: &mut Command) -> anyhow::Result<()> {
    let name = shown(command);
    let cannot = || format!("cannot start {name}");
    if !out::is_kept() {
        let status = command.status().with_context(cannot)?;
        return check(command, status);
    }
    let output = command.stdin(Stdio::null()).output().with_context(cannot)?;
    for written in [&output.stdout, &output.stderr] {
        String::from_utf8_lossy(written).lines().for_each(out::line);
    }
    check(command, output.status)
}

/// Whether a command can be started and its exit code is 0. Its output is dropped.
pub(crate) fn quietly_succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Runs a command and returns its stdout. Its stderr goes to the terminal.
///
/// # Errors
/// When it cannot be started, its exit code is not 0, or its output is not UTF-8.
pub(crate) fn stdout_of(command: &mut Command) -> anyhow::Result<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {}", shown(command)))?;
    check(command, output.status)?;
    String::from_utf8(output.stdout).with_context(|| format!("{} did not write UTF-8", shown(command)))
}

/// Result of a watched command.
pub(crate) struct Watched {
    /// Exit status.
    pub(crate) status: ExitStatus,
    /// Lines of the command's stdout. They have already been shown.
    pub(crate) lines: Vec<String>,
}

/// Runs a command in its own process group, and shows and collects its stdout.
///
/// After `limit`, or when the command has ended, the whole group is killed, so that no window or
/// display server remains.
///
/// # Errors
/// When it cannot be started, or runs longer than `limit`.
pub(crate) fn watch(command: &mut Command, limit: Duration) -> anyhow::Result<Watched> {
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = command.spawn().with_context(|| format!("cannot start {}", shown(command)))?;
    let stdout = child.stdout.take().context("BUG: stdout was piped")?;
    let (send, receive) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
    });

    let mut lines = Vec::new();
    // Lines are printed on this thread, because they may be kept per thread.
    let take = |lines: &mut Vec<String>| lines.extend(receive.try_iter().inspect(|line| out::line(line)));
    let started = Instant::now();
    let status = loop {
        take(&mut lines);
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if started.elapsed() > limit {
            break None;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    end_group(child.id());
    let Some(status) = status else {
        let _ = child.kill();
        let _ = child.wait();
        take(&mut lines);
        bail!("{} was still running after {} s and was ended", shown(command), limit.as_secs());
    };
    let _ = reader.join();
    take(&mut lines);
    Ok(Watched { status, lines })
}

#[cfg(unix)]
fn end_group(leader: u32) {
    // Uses the program `kill`, since the system call would need unsafe code or a dependency.
    let group = format!("-{leader}");
    quietly_succeeds(Command::new("kill").args(["-TERM", "--", &group]));
    for _ in 0..20 {
        if !quietly_succeeds(Command::new("kill").args(["-0", "--", &group])) {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    quietly_succeeds(Command::new("kill").args(["-KILL", "--", &group]));
}

#[cfg(not(unix))]
fn end_group(_leader: u32) {}

/// Path of the program with this name on the search path.
pub(crate) fn which(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .flat_map(|folder| [folder.join(program), folder.join(format!("{program}.exe"))])
        .find(|file| file.is_file())
}

/// Text of the command as a person would type it, without its folder and environment.
pub(crate) fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or(command.get_program());
    let mut text = program.to_string_lossy().into_owned();
    for argument in command.get_args() {
        text.push(' ');
        text.push_str(&argument.to_string_lossy());
    }
    text
}

fn check(command: &Command, status: ExitStatus) -> anyhow::Result<()> {
    if status.success() {
        return Ok(());
    }
    match status.code() {
        Some(code) => bail!("`{}` ended with code {code}", shown(command)),
        None => bail!("`{}` was ended by a signal", shown(command)),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_watched_command_keeps_its_lines_and_code() {
        let watched =
            watch(Command::new("sh").args(["-c", "echo a; echo b; exit 3"]), Duration::from_secs(20))
                .unwrap();
        assert_eq!(watched.lines, ["a", "b"]);
        assert_eq!(watched.status.code(), Some(3));
    }

    #[test]
    fn a_watched_command_is_ended_with_its_children_at_the_limit() {
        let started = Instant::now();
        let result =
            watch(Command::new("sh").args(["-c", "sleep 60 & sleep 60"]), Duration::from_millis(100));
        assert!(result.is_err_and(|error| error.to_string().contains("still running")));
        assert!(started.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_forgotten_child_does_not_hold_the_watch() {
        let started = Instant::now();
        watch(Command::new("sh").args(["-c", "sleep 60 & echo done"]), Duration::from_secs(40)).unwrap();
        assert!(started.elapsed() < Duration::from_secs(20));
    }
}
