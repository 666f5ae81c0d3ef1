//! How many threads to compute with: one per physical core that this process may use.
//!
//! Two threads on one core share its arithmetic units, and generation waits for memory anyway, so a core's second thread
//! only costs.

use std::thread::available_parallelism;

/// Threads to compute with: the cores that the system, an affinity mask or a container's quota leave to this process.
#[must_use]
pub fn physical_cores() -> u32 {
    // Knows masks and quotas, and counts hardware threads.
    let allowed = available_parallelism().map_or(1, usize::from);
    let cores = cores().unwrap_or(allowed);
    u32::try_from(cores.min(allowed).max(1)).unwrap_or(1)
}

#[cfg(target_os = "linux")]
fn cores() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let allowed = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    let siblings = |cpu: usize| {
        std::fs::read_to_string(format!(
            "/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list"
        ))
        .ok()
    };
    distinct(&list(allowed), siblings)
}

#[cfg(not(target_os = "linux"))]
fn cores() -> Option<usize> {
    Some(num_cpus::get_physical())
}

/// Number of different cores under these hardware threads; nothing when the system does not tell of one of them.
#[cfg(any(target_os = "linux", test))]
fn distinct(cpus: &[usize], siblings: impl Fn(usize) -> Option<String>) -> Option<usize> {
    let cores: Option<std::collections::BTreeSet<usize>> = cpus
        .iter()
        .map(|cpu| list(&siblings(*cpu)?).first().copied())
        .collect();
    cores.map(|cores| cores.len()).filter(|count| *count > 0)
}

/// `0-3,8` as numbers.
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
    fn there_is_at_least_one_and_not_more_than_the_system_gives() {
        let most = available_parallelism().map_or(1, usize::from);
        assert!((1..=most).contains(&(physical_cores() as usize)));
    }
}
