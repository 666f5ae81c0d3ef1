//! One program's wall time and peak memory.

use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};

use crate::command;

/// How often the memory is read. The kernel keeps the peak, so only a peak in the last moment can be missed.
const INTERVAL: Duration = Duration::from_millis(2);

/// How a measured program ran.
pub(super) struct Measured {
    /// From its start to its end.
    pub(super) wall: Duration,
    /// Largest resident set in bytes; nothing where the system does not tell, or the program was too short.
    pub(super) peak_rss_bytes: Option<u64>,
    status: ExitStatus,
}

impl Measured {
    /// Peak memory in MiB, or why there is none.
    pub(super) fn peak_rss_mib(&self) -> Result<f64, String> {
        #[expect(
            clippy::cast_precision_loss,
            reason = "2^52 bytes are more than any machine has"
        )]
        let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        self.peak_rss_bytes
            .map(mib)
            .ok_or_else(|| "this system has no /proc to read it from".to_owned())
    }
}

/// Runs a command to its end without showing its output.
///
/// # Errors
/// When it cannot be started or ends with another code than 0.
pub(super) fn measure(command: &mut Command) -> anyhow::Result<Measured> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let started = Instant::now();
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start {}", command::shown(command)))?;
    let mut peak_rss_bytes = None;
    let (status, wall) = loop {
        peak_rss_bytes = peak_rss(child.id()).or(peak_rss_bytes);
        if let Some(status) = child.try_wait()? {
            break (status, started.elapsed());
        }
        std::thread::sleep(INTERVAL);
    };
    let measured = Measured {
        wall,
        peak_rss_bytes,
        status,
    };
    if !measured.status.success() {
        bail!("`{}` ended with {}", command::shown(command), measured.status);
    }
    Ok(measured)
}

/// The middle one of several runs of the same command, by wall time. `make` gives a fresh command each time.
///
/// # Errors
/// As [`measure`], for the first run that fails.
pub(super) fn median_of(runs: usize, mut make: impl FnMut() -> Command) -> anyhow::Result<Measured> {
    let mut measured = (0..runs)
        .map(|_| measure(&mut make()))
        .collect::<anyhow::Result<Vec<_>>>()?;
    measured.sort_by_key(|measured| measured.wall);
    let middle = measured.len() / 2;
    measured
        .into_iter()
        .nth(middle)
        .context("a median takes at least one run")
}

fn peak_rss(pid: u32) -> Option<u64> {
    parse_peak_rss(&std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?)
}

fn parse_peak_rss(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read_from_what_linux_prints() {
        assert_eq!(
            parse_peak_rss("Name:\tkoab\nVmHWM:\t   2048 kB\nVmRSS:\t 1 kB\n"),
            Some(2 << 20)
        );
        assert_eq!(parse_peak_rss("Name:\tkoab\nState:\tZ (zombie)\n"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_program_is_timed_and_weighed() {
        let measured = measure(Command::new("sleep").arg("0.1")).unwrap();
        assert!(measured.wall >= Duration::from_millis(100));
        assert!(measured.peak_rss_mib().is_ok_and(|mib| mib > 0.1 && mib < 100.0));
        assert!(measure(&mut Command::new("false")).is_err());
    }
}
