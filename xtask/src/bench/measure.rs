//! Measures a program's wall time and peak memory.

use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};

use crate::command;

/// Interval at which memory is read. The kernel stores the peak, so a peak is missed only if it
/// falls in the last interval.
const INTERVAL: Duration = Duration::from_millis(2);

/// Measurements of a program.
pub(super) struct Measured {
    /// Time from the program's start to its end.
    pub(super) wall: Duration,
    /// Peak of the program's resident set in bytes; `None` if the system does not report it, or if
    /// the program ended too soon.
    pub(super) peak_rss_bytes: Option<u64>,
    /// Peak of the program's private memory in bytes, without pages of mapped files, which the
    /// system can reclaim. The memory is sampled, so a short peak can be missed.
    own_bytes: Option<u64>,
    /// Samples of private memory, each with its time since the start.
    own_samples: Vec<(Duration, u64)>,
    status: ExitStatus,
}

impl Measured {
    /// Peak memory in MiB, or the reason why it is unknown.
    pub(super) fn peak_rss_mib(&self) -> Result<f64, String> {
        mib(self.peak_rss_bytes)
    }

    /// Peak of private memory in MiB, or the reason why it is unknown.
    pub(super) fn own_mib(&self) -> Result<f64, String> {
        mib(self.own_bytes)
    }

    /// Growth of the peak of private memory from the third quarter of the time to the last quarter,
    /// in MiB; negative if the peak shrank.
    ///
    /// Returns the reason if the growth is unknown. Memory that a program needs only at its start
    /// is not included.
    pub(super) fn own_growth_mib(&self) -> Result<f64, String> {
        let peak = |from: u32, to: u32| {
            let within = |at: &Duration| self.wall * from <= *at * 4 && *at * 4 < self.wall * to;
            let quarter = self.own_samples.iter().filter(|(at, _)| within(at));
            mib(quarter.map(|(_, bytes)| *bytes).max())
        };
        Ok(peak(3, 5)? - peak(2, 3)?)
    }
}

#[expect(clippy::cast_precision_loss, reason = "2^52 bytes are more than any machine has")]
fn mib(bytes: Option<u64>) -> Result<f64, String> {
    bytes
        .map(|bytes| bytes as f64 / f64::from(1 << 20))
        .ok_or_else(|| "this system has no /proc to read it from".to_owned())
}

/// Runs a command to its end without showing its output.
///
/// # Errors
/// When it cannot be started or its exit code is not 0.
pub(super) fn measure(command: &mut Command) -> anyhow::Result<Measured> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let started = Instant::now();
    let mut child = command.spawn().with_context(|| format!("cannot start {}", command::shown(command)))?;
    let (mut peak_rss_bytes, mut own_samples) = (None, Vec::new());
    let (status, wall) = loop {
        let read = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        peak_rss_bytes = kibibytes(&read, "VmHWM:").or(peak_rss_bytes);
        own_samples.extend(kibibytes(&read, "RssAnon:").map(|bytes| (started.elapsed(), bytes)));
        if let Some(status) = child.try_wait()? {
            break (status, started.elapsed());
        }
        std::thread::sleep(INTERVAL);
    };
    let own_bytes = own_samples.iter().map(|(_, bytes)| *bytes).max();
    let measured = Measured { wall, peak_rss_bytes, own_bytes, own_samples, status };
    if !measured.status.success() {
        bail!("`{}` ended with {}", command::shown(command), measured.status);
    }
    Ok(measured)
}

/// Median of several runs of a command, by wall time. `make` returns a new command each time.
///
/// # Errors
/// Every error of [`measure`], for the first run that fails.
pub(super) fn median_of(runs: usize, mut make: impl FnMut() -> Command) -> anyhow::Result<Measured> {
    let mut measured = (0..runs).map(|_| measure(&mut make())).collect::<anyhow::Result<Vec<_>>>()?;
    measured.sort_by_key(|measured| measured.wall);
    let middle = measured.len() / 2;
    measured.into_iter().nth(middle).context("a median takes at least one run")
}

/// Value of a field of `/proc/<pid>/status` in bytes.
fn kibibytes(status: &str, field: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read_from_what_linux_prints() {
        let status = "Name:\tkoab\nVmHWM:\t   2048 kB\nVmRSS:\t 1 kB\n";
        assert_eq!(kibibytes(status, "VmHWM:"), Some(2 << 20));
        assert_eq!(kibibytes("Name:\tkoab\nState:\tZ (zombie)\n", "VmHWM:"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_program_is_timed_and_weighed() {
        let measured = measure(Command::new("sleep").arg("0.1")).unwrap();
        assert!(measured.wall >= Duration::from_millis(100));
        assert!(measured.peak_rss_mib().is_ok_and(|mib| mib > 0.1 && mib < 100.0));
        assert!(measure(&mut Command::new("false")).is_err());
    }

    #[test]
    fn growth_is_what_the_last_quarter_takes_more() {
        let status = std::process::ExitStatus::default();
        let grown = |own: &[(u64, u64)]| {
            let own = own.iter().map(|(at, mib)| (Duration::from_secs(*at), mib << 20));
            let measured = Measured {
                wall: Duration::from_secs(10),
                peak_rss_bytes: None,
                own_bytes: None,
                own_samples: own.collect(),
                status,
            };
            measured.own_growth_mib()
        };
        assert_eq!(grown(&[(0, 5), (2, 90), (5, 18), (7, 20), (8, 23), (10, 21)]), Ok(3.0));
        assert_eq!(grown(&[(6, 20), (9, 11)]), Ok(-9.0));
        assert!(grown(&[(9, 5)]).is_err() && grown(&[]).is_err());
    }
}
