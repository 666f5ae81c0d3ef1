//! Number of threads to compute with: one per physical core that this process may use and that is
//! idle.
//!
//! Threads of one computation wait for each other. If another process occupies the core of one
//! thread, all of them wait: on a machine with a busy core, two threads wrote 5 tokens per second,
//! and one thread wrote 42.
//!
//! Two hardware threads of one core share its arithmetic units, and generation is limited by memory
//! anyway, so the second thread of a core only costs.

use std::thread::available_parallelism;
#[cfg(target_os = "linux")]
use std::time::Duration;

/// Duration of a measurement of the processors' load.
#[cfg(target_os = "linux")]
const LOAD_SAMPLE_TIME: Duration = Duration::from_millis(250);

/// Number of physical cores that the system, an affinity mask or a container's quota leave to this
/// process.
#[must_use]
pub fn physical_cores() -> u32 {
    // `available_parallelism` respects masks and quotas, and counts hardware threads.
    let allowed = available_parallelism().map_or(1, usize::from);
    let cores = cores().unwrap_or(allowed);
    u32::try_from(cores.min(allowed).max(1)).unwrap_or(1)
}

/// Default number of threads: the physical cores without those that are busy now. The measurement
/// takes a quarter of a second.
pub(super) fn free_cores() -> u32 {
    let cores = physical_cores();
    match cores {
        1 => 1,
        _ => busy().map_or(cores, |busy| free(cores, busy)),
    }
}

/// Number of idle cores, at least one, if the share `busy` of all cores is in use.
fn free(cores: u32, busy: f64) -> u32 {
    let idle = f64::from(cores) * (1.0 - busy);
    (idle.round() as u32).clamp(1, cores)
}

/// Share of this process's processors that is busy, measured over [`LOAD_SAMPLE_TIME`]. `None` if
/// the system does not report it.
#[cfg(target_os = "linux")]
fn busy() -> Option<f64> {
    let allowed = allowed()?;
    let ticks = || Some(ticks(&std::fs::read_to_string("/proc/stat").ok()?, &allowed));
    let before = ticks()?;
    std::thread::sleep(LOAD_SAMPLE_TIME);
    let after = ticks()?;
    let (all, idle) = (after.0.checked_sub(before.0)?, after.1.checked_sub(before.1)?);
    (all > 0).then(|| 1.0 - idle as f64 / all as f64)
}

#[cfg(not(target_os = "linux"))]
fn busy() -> Option<f64> {
    None
}

/// Total and idle ticks of the given processors since the start of the system (`proc_stat(5)`).
#[cfg(any(target_os = "linux", test))]
fn ticks(stat: &str, cpus: &[usize]) -> (u64, u64) {
    let of_cpu = |line: &str| {
        let (name, ticks) = line.split_once(' ')?;
        let cpu: usize = name.strip_prefix("cpu")?.parse().ok()?;
        let ticks: Vec<u64> = ticks.split(' ').map_while(|tick| tick.parse().ok()).collect();
        // The fields are user, nice, system, idle, iowait, irq, softirq, steal; guest time is part
        // of user.
        let idle = ticks.get(3)? + ticks.get(4)?;
        cpus.contains(&cpu).then(|| (ticks.iter().take(8).sum::<u64>(), idle))
    };
    let cpus = stat.lines().filter_map(of_cpu);
    cpus.fold((0, 0), |sum, cpu| (sum.0 + cpu.0, sum.1 + cpu.1))
}

#[cfg(target_os = "linux")]
fn allowed() -> Option<Vec<usize>> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    Some(list(line))
}

#[cfg(target_os = "linux")]
fn cores() -> Option<usize> {
    let allowed = allowed()?;
    let siblings = |cpu: usize| {
        std::fs::read_to_string(format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list"))
            .ok()
    };
    distinct(&allowed, siblings)
}

#[cfg(not(target_os = "linux"))]
fn cores() -> Option<usize> {
    Some(num_cpus::get_physical())
}

/// Number of distinct cores of these hardware threads. `None` if the system does not report the
/// core of one of them.
#[cfg(any(target_os = "linux", test))]
fn distinct(cpus: &[usize], siblings: impl Fn(usize) -> Option<String>) -> Option<usize> {
    let cores: Option<std::collections::BTreeSet<usize>> =
        cpus.iter().map(|cpu| list(&siblings(*cpu)?).first().copied()).collect();
    cores.map(|cores| cores.len()).filter(|count| *count > 0)
}

/// The numbers of a list such as `0-3,8`.
#[cfg(any(target_os = "linux", test))]
fn list(text: &str) -> Vec<usize> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.trim().parse::<usize>().ok()?..=last.trim().parse::<usize>().ok()?)
    };
    text.trim().split(',').filter_map(range).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_is_counted_once() {
        assert_eq!(list(" 0-2,8\n"), [0, 1, 2, 8]);
        // Four hardware threads of two cores, of which the mask leaves three.
        let siblings = |cpu: usize| Some(format!("{},{}", cpu % 2, cpu % 2 + 2));
        assert_eq!(distinct(&[0, 1, 2], siblings), Some(2));
        assert_eq!(distinct(&[0, 2], siblings), Some(1));
        assert_eq!(distinct(&[0], |_| None), None);
    }

    #[test]
    fn a_busy_core_is_left_to_others() {
        for (cores, busy, left) in
            [(2, 0.0, 2), (2, 0.2, 2), (2, 0.5, 1), (2, 1.0, 1), (8, 0.25, 6), (1, 1.0, 1), (8, -0.1, 8)]
        {
            assert_eq!(free(cores, busy), left, "{cores} cores, {busy} taken");
        }
        let stat =
            "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 10 1 2 100 5 1 1 0 7 0\ncpu1 1 1 1 1 1 1 1 1 0 0\nintr 5\n";
        assert_eq!(ticks(stat, &[0]), (120, 105));
        assert_eq!(ticks(stat, &[0, 1]), (128, 107));
        assert_eq!(ticks("", &[0]), (0, 0));
    }

    #[test]
    fn there_is_at_least_one_and_not_more_than_the_system_gives() {
        let most = available_parallelism().map_or(1, usize::from);
        assert!((1..=most).contains(&(physical_cores() as usize)));
        assert!((1..=physical_cores()).contains(&free_cores()));
    }
}
