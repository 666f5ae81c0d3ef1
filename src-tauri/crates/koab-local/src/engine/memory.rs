//! Memory that this process can use for a model.

use std::path::Path;

/// Bytes that this process can still allocate without swapping.
///
/// This is the smaller of the machine's free memory and the container's limit. `None` if the system
/// does not report it (here only Linux does).
#[must_use]
pub fn available() -> Option<u64> {
    let machine =
        std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| of_meminfo(&text, "MemAvailable:"));
    let container = of_container(Path::new("/"));
    match (machine, container) {
        (Some(machine), Some(container)) => Some(machine.min(container)),
        (machine, container) => machine.or(container),
    }
}

/// Resident memory of this process in bytes. `None` if the system does not report it.
#[must_use]
pub fn resident() -> Option<u64> {
    of_meminfo(&std::fs::read_to_string("/proc/self/status").ok()?, "VmRSS:")
}

/// Peak resident memory of this process in bytes. `None` if the system does not report it.
#[must_use]
pub fn peak_resident() -> Option<u64> {
    of_meminfo(&std::fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// Returns freed memory from the allocator to the system. Reading a vocabulary leaves megabytes of
/// it in fragments that no later allocation fits into.
pub(super) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        #[allow(unsafe_code, reason = "glibc has no other door to this")]
        mod glibc {
            unsafe extern "C" {
                pub(super) safe fn malloc_trim(pad: usize) -> std::ffi::c_int;
            }
        }
        glibc::malloc_trim(0);
    }
}

fn of_meminfo(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// Memory that the limits of the process's control groups and their parents leave. The file cache
/// counts as free, because the kernel drops it when memory is needed.
fn of_container(root: &Path) -> Option<u64> {
    let groups = std::fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
    let number = |path: &Path| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let free_in = |folder: &Path, limit: &str, used: &str| {
        let limit = number(&folder.join(limit))?;
        let stat = std::fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
        let cached = ["file ", "total_cache "]
            .iter()
            .find_map(|name| stat.lines().find_map(|line| line.strip_prefix(name)))
            .and_then(|value| value.trim().parse::<u64>().ok())
            .unwrap_or(0);
        let used = number(&folder.join(used))?.saturating_sub(cached);
        Some(limit.saturating_sub(used))
    };
    let mut least = None;
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':');
        let (Some(_), Some(kinds), Some(path)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let (mount, limit, used) = match kinds {
            "" => ("sys/fs/cgroup", "memory.max", "memory.current"),
            "memory" => ("sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
            _ => continue,
        };
        let mount = root.join(mount);
        // Inside a container, its own group is the mount's root.
        for group in Path::new(path.trim_start_matches('/')).ancestors() {
            if let Some(free) = free_in(&mount.join(group), limit, used) {
                least = Some(least.map_or(free, |least: u64| least.min(free)));
            }
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    #[test]
    fn the_least_limit_of_all_groups_counts_and_cached_files_are_free() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        write(root, "proc/self/cgroup", "0::/user/app\n");
        write(root, "sys/fs/cgroup/user/app/memory.max", "max\n");
        write(root, "sys/fs/cgroup/user/memory.max", "1000\n");
        write(root, "sys/fs/cgroup/user/memory.current", "700\n");
        write(root, "sys/fs/cgroup/user/memory.stat", "anon 100\nfile 600\n");
        assert_eq!(of_container(root), Some(900));
    }

    #[test]
    fn no_limit_is_no_limit() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(of_container(root.path()), None);
        write(root.path(), "proc/self/cgroup", "0::/\n");
        assert_eq!(of_container(root.path()), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_has_some() {
        assert!(available().is_some_and(|bytes| bytes > 1 << 20));
        assert!(resident().unwrap() <= peak_resident().unwrap());
    }
}
