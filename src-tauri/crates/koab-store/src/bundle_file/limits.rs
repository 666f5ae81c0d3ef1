//! How much a bundle may hold.

/// What a bundle may hold at most. The published runs take some 2 MB a run, their journals as much again.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Entries.
    pub entries: usize,
    /// Bytes of the manifest.
    pub manifest_bytes: u64,
    /// Bytes of one file.
    pub file_bytes: u64,
    /// Bytes of all files.
    pub total_bytes: u64,
    /// How many times smaller than itself a file may be packed, once it has more than a megabyte.
    pub ratio: u64,
}

/// The limits that every bundle is read with.
pub const LIMITS: Limits = Limits {
    entries: 20_000,
    manifest_bytes: 8 << 20,
    file_bytes: 512 << 20,
    total_bytes: 2 << 30,
    ratio: 300,
};
