//! How much a bundle may hold.

use koab_bundle::bundle::JOURNAL;

/// What a bundle may hold at most. The published runs take some 2 MB a run, their journals as much
/// again.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Entries.
    pub entries: usize,
    /// Bytes of the manifest.
    pub manifest_bytes: u64,
    /// Bytes of one file.
    pub file_bytes: u64,
    /// Bytes of the journal, which nobody holds in memory. What of it can be right is told by the
    /// manifest.
    pub journal_bytes: u64,
    /// Bytes of all files but the journal.
    pub total_bytes: u64,
    /// How many times smaller than itself a file may be packed, once it has more than a megabyte.
    pub ratio: u64,
}

impl Limits {
    /// Bytes that a file of this name may have.
    pub(super) fn bytes_of(&self, name: &str) -> u64 {
        match name {
            JOURNAL => self.journal_bytes,
            _ => self.file_bytes,
        }
    }
}

/// The limits that every bundle is read with.
pub const LIMITS: Limits = Limits {
    entries: 20_000,
    manifest_bytes: 8 << 20,
    file_bytes: 512 << 20,
    // As much as an archive of this form can state.
    journal_bytes: u32::MAX as u64,
    total_bytes: 2 << 30,
    ratio: 300,
};
