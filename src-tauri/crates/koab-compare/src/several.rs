//! Helpers for lists of reports or runs, which remove repeated ids and read several in parallel.

#[cfg(test)]
mod tests;

use koab_core::sentence::Sentence;
use koab_workspace::WireError;

/// The ids in their order, without empty ids and repeated ids.
pub(crate) fn distinct(ids: &[String]) -> Vec<&String> {
    let mut distinct: Vec<&String> = Vec::new();
    for id in ids.iter().filter(|id| !id.is_empty()) {
        if !distinct.contains(&id) {
            distinct.push(id);
        }
    }
    distinct
}

/// Reads each id with `read`, in parallel on all processors, and returns the results in order.
/// `ended` is the error message for a reader that panicked.
///
/// # Errors
/// The first error that `read` returns.
pub(crate) fn read_all<T: Send>(
    ids: &[&String],
    read: impl Fn(&str) -> Result<T, WireError> + Sync,
    ended: &Sentence,
) -> Result<Vec<T>, WireError> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = ids.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let part = |ids: &[&String]| -> Result<Vec<T>, WireError> { ids.iter().map(|id| read(id)).collect() };
        let readers: Vec<_> = ids.chunks(share).map(|ids| scope.spawn(move || part(ids))).collect();
        let mut all = Vec::with_capacity(ids.len());
        for reader in readers {
            all.extend(reader.join().unwrap_or_else(|_| Err(WireError::internal(ended.clone())))?);
        }
        Ok(all)
    })
}
