//! Reports and runs named together: each once, and several read at once.

#[cfg(test)]
mod tests;

use koab_core::sentence::Sentence;
use koab_workspace::WireError;

/// The ids without empty ones and repetitions.
pub(crate) fn distinct(ids: &[String]) -> Vec<&String> {
    let mut wanted: Vec<&String> = Vec::new();
    for id in ids.iter().filter(|id| !id.is_empty()) {
        if !wanted.contains(&id) {
            wanted.push(id);
        }
    }
    wanted
}

/// What `read` makes of each id, in their order, a thread a processor. `ended` says that one of
/// them ended early.
///
/// # Errors
/// The first that `read` gives.
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
