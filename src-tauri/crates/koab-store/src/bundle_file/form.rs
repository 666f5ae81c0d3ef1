//! Strict check of a bundle's zip structure: the directory at its end, the header of each entry,
//! and no bytes between them.
//!
//! The zip format allows two different descriptions of an entry, stray bytes between entries, and
//! two entries with one name.
//!
//! Readers handle these differently, so a bundle may have none of them. Unpacking is left to the
//! zip crate.

use super::{Limits, Refusal};
use koab_bundle::bundle::{JOURNAL, is_place};
use koab_core::say;
use koab_core::sentence::Sentence;
use std::collections::BTreeSet;
use std::io::{self, Read, Seek, SeekFrom};

/// Entry of a bundle, as the zip directory describes it.
pub(super) struct Entry {
    pub(super) name: String,
    /// Uncompressed size in bytes.
    pub(super) bytes: u64,
    packed: u64,
    start: u64,
    crc: u32,
}

const END_BYTES: usize = 22;
const HEADER_BYTES: usize = 30;
const DIRECTORY_ENTRY_BYTES: usize = 46;
/// 1980-01-01 in MS-DOS format: the earliest date that zip can express.
const DATE: u16 = 0x0021;
/// External attributes of a regular file with Unix mode 0644.
const PLAIN: u32 = 0o100_644 << 16;
/// General-purpose flag: the entry's name is UTF-8.
const UTF8: u16 = 1 << 11;
/// General-purpose flags of the deflate level. Readers ignore them.
const EFFORT: u16 = 0b110;
const DEFLATED: u16 = 8;

/// Reads the zip directory and compares every entry's header with it.
pub(super) fn directory<F: Read + Seek>(
    file: &mut F,
    length: u64,
    limits: Limits,
) -> Result<Vec<Entry>, Refusal> {
    let end = read_at(file, length.saturating_sub(END_BYTES as u64), END_BYTES)
        .map_err(|_| Refusal::whole(say!("is not a bundle: it is too short for an archive")))?;
    if !end.starts_with(b"PK\x05\x06") {
        return Err(Refusal::whole(say!(
            "is not a whole bundle: it does not end as an archive does, so its end is missing or something was added"
        )));
    }
    let (count, size, start) = (u16_at(&end, 10), u32_at(&end, 12), u64::from(u32_at(&end, 16)));
    if u16_at(&end, 4) != 0 || u16_at(&end, 6) != 0 || u16_at(&end, 8) != count || u16_at(&end, 20) != 0 {
        return Err(Refusal::whole(say!(
            "is not a bundle: the end of the archive names several disks or a comment, which bundles do not have"
        )));
    }
    if usize::from(count) > limits.entries {
        return Err(Refusal::whole(say!("has more than {} entries", limits.entries)));
    }
    if start + u64::from(size) + END_BYTES as u64 != length {
        return Err(Refusal::whole(say!(
            "is not a bundle: there are bytes around the archive's directory that belong to no entry"
        )));
    }
    let lines = read_at(file, start, size as usize)
        .map_err(|_| Refusal::whole(say!("is not a whole bundle: its directory is cut off")))?;
    let entries = entries(&lines, usize::from(count))?;
    check(file, &entries, start, limits)?;
    Ok(entries)
}

fn entries(mut lines: &[u8], count: usize) -> Result<Vec<Entry>, Refusal> {
    let mut entries = Vec::with_capacity(count);
    let mut names = BTreeSet::new();
    for number in 1..=count {
        let broken = || Refusal::whole(say!("the archive's directory breaks off at entry {number}"));
        let line = lines.get(..DIRECTORY_ENTRY_BYTES).ok_or_else(broken)?;
        let length = usize::from(u16_at(line, 28));
        let raw = lines.get(DIRECTORY_ENTRY_BYTES..DIRECTORY_ENTRY_BYTES + length).ok_or_else(broken)?;
        let Ok(name) = std::str::from_utf8(raw) else {
            let lossy = String::from_utf8_lossy(raw).into_owned();
            return Err(Refusal::at(lossy, say!("is the name of an entry that is not UTF-8")));
        };
        let refuse = |why: Sentence| Err(Refusal::at(name, why));
        if !line.starts_with(b"PK\x01\x02") {
            return Err(broken());
        }
        let flags = u16_at(line, 8);
        if flags & 1 != 0 {
            return refuse(say!("is encrypted, but no entry of a bundle is"));
        }
        if u32_at(line, 38) != PLAIN {
            return refuse(say!("is not a plain file: a bundle has no links, folders or programs"));
        }
        if let Err(why) = is_place(name) {
            return refuse(say!("is the name of an entry that {why}"));
        }
        if !names.insert(name.to_lowercase()) {
            return refuse(say!("is the name of two entries, letter case aside"));
        }
        let fixed = u16_at(line, 10) == DEFLATED
            && flags & !(UTF8 | EFFORT) == 0
            && (u16_at(line, 12), u16_at(line, 14)) == (0, DATE)
            // No extra fields, no comment, disk 0, no text file.
            && (u16_at(line, 30), u16_at(line, 32), u16_at(line, 34), u16_at(line, 36)) == (0, 0, 0, 0)
            // Made on Unix. The other fields follow from what the zip writer supports.
            && line[5] == 3;
        if !fixed {
            return refuse(say!("is not packed as koab packs a file"));
        }
        entries.push(Entry {
            name: name.to_owned(),
            bytes: u64::from(u32_at(line, 24)),
            packed: u64::from(u32_at(line, 20)),
            start: u64::from(u32_at(line, 42)),
            crc: u32_at(line, 16),
        });
        lines = &lines[DIRECTORY_ENTRY_BYTES + length..];
    }
    if !lines.is_empty() {
        return Err(Refusal::whole(say!("the archive's directory continues after its last entry")));
    }
    Ok(entries)
}

fn check<F: Read + Seek>(
    file: &mut F,
    entries: &[Entry],
    directory: u64,
    limits: Limits,
) -> Result<(), Refusal> {
    let (mut at, mut total) = (0, 0);
    for entry in entries {
        let refuse = |why: Sentence| Err(Refusal::at(&entry.name, why));
        if entry.start != at {
            return refuse(say!("does not begin where the entry before it ends"));
        }
        let length = HEADER_BYTES + entry.name.len();
        let Ok(head) = read_at(file, at, length) else {
            return refuse(say!("is cut off"));
        };
        let same = head.starts_with(b"PK\x03\x04")
            && u16_at(&head, 6) & !(UTF8 | EFFORT) == 0
            && u16_at(&head, 8) == DEFLATED
            && (u16_at(&head, 10), u16_at(&head, 12)) == (0, DATE)
            && u32_at(&head, 14) == entry.crc
            && u64::from(u32_at(&head, 18)) == entry.packed
            && u64::from(u32_at(&head, 22)) == entry.bytes
            && usize::from(u16_at(&head, 26)) == entry.name.len()
            && u16_at(&head, 28) == 0
            && &head[HEADER_BYTES..] == entry.name.as_bytes();
        if !same {
            return refuse(say!("is described differently before its content and in the directory"));
        }
        let most = limits.bytes_of(&entry.name);
        if entry.bytes > most {
            let most = most >> 20;
            return refuse(say!("unpacks to more than {most} MB, which nothing in a bundle does"));
        }
        total += if entry.name == JOURNAL { 0 } else { entry.bytes };
        if total > limits.total_bytes {
            let most = limits.total_bytes >> 20;
            return refuse(say!("makes the bundle unpack to more than {most} MB"));
        }
        if entry.bytes > 1 << 20 && entry.bytes / entry.packed.max(1) > limits.ratio {
            return refuse(say!(
                "unpacks to more than {} times its size, as only an archive bomb does",
                limits.ratio
            ));
        }
        at += length as u64 + entry.packed;
    }
    if at != directory {
        return Err(Refusal::whole(say!(
            "is not a bundle: there are bytes before the archive's directory that belong to no entry"
        )));
    }
    Ok(())
}

fn read_at<F: Read + Seek>(file: &mut F, at: u64, length: usize) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(at))?;
    let mut read = Vec::new();
    Read::by_ref(file).take(length as u64).read_to_end(&mut read)?;
    if read.len() == length { Ok(read) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
