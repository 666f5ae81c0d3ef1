//! Size limits of a bundle.

use koab_bundle::bundle::JOURNAL;

/// Size limits of a bundle. A published run takes about 2 MB, and its journal about 2 MB more.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Number of entries.
    pub entries: usize,
    /// Size of the manifest in bytes.
    pub manifest_bytes: u64,
    /// Size of one file in bytes, except the journal.
    pub file_bytes: u64,
    /// Size of the journal in bytes. The journal is streamed, never held in memory, and the
    /// manifest states its size.
    pub journal_bytes: u64,
    /// Total size of all files in bytes, without the journal.
    pub total_bytes: u64,
    /// Maximum compression ratio of a file larger than 1 MB. Higher ratios are treated as a zip
    /// bomb.
    pub ratio: u64,
}

impl Limits {
    /// Maximum size in bytes of the file with this name.
    pub(super) fn bytes_of(&self, name: &str) -> u64 {
        match name {
            JOURNAL => self.journal_bytes,
            _ => self.file_bytes,
        }
    }
}

/// Limits that apply to every bundle.
pub const LIMITS: Limits = Limits {
    entries: 20_000,
    manifest_bytes: 8 << 20,
    file_bytes: 512 << 20,
    // Largest size that a 32-bit zip field can state.
    journal_bytes: u32::MAX as u64,
    total_bytes: 2 << 30,
    ratio: 300,
};
