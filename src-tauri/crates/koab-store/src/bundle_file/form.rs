//! The form of a bundle's archive, byte by byte: its directory, the head of each entry, and nothing
//! between them.
//!
//! The zip format lets an entry be described twice, in different words; lets anything lie between
//! entries; and lets two have one name. Readers choose differently then, so a bundle has none of
//! it. What is packed is the zip crate's matter.

use super::{Limits, Refusal};
use koab_bundle::bundle::{JOURNAL, is_place};
use koab_core::say;
use koab_core::sentence::Sentence;
use std::collections::BTreeSet;
use std::io::{self, Read, Seek, SeekFrom};

/// An entry as the directory states it.
pub(super) struct Entry {
    pub(super) name: String,
    /// Size unpacked.
    pub(super) bytes: u64,
    packed: u64,
    start: u64,
    crc: u32,
}

const END: usize = 22;
const HEAD: usize = 30;
const LINE: usize = 46;
/// 1980-01-01, the first date that the format has.
const DATE: u16 = 0x0021;
/// Mode of a plain file that its owner writes, where Unix programs keep it.
const PLAIN: u32 = 0o100_644 << 16;
/// Names are UTF-8.
const UTF8: u16 = 1 << 11;
/// How hard deflate tried; it changes nothing for a reader.
const EFFORT: u16 = 0b110;
const DEFLATED: u16 = 8;

/// Reads the directory and compares every head with it.
pub(super) fn directory<F: Read + Seek>(
    file: &mut F,
    length: u64,
    limits: Limits,
) -> Result<Vec<Entry>, Refusal> {
    let end = read_at(file, length.saturating_sub(END as u64), END)
        .map_err(|_| Refusal::whole(say!("is not a bundle: it is too short for an archive")))?;
    if !end.starts_with(b"PK\x05\x06") {
        return Err(Refusal::whole(say!(
            "is not a whole bundle: it does not end as an archive does, so its end is missing or something was added"
        )));
    }
    let (count, size, start) = (u16_at(&end, 10), u32_at(&end, 12), u64::from(u32_at(&end, 16)));
    if u16_at(&end, 4) != 0 || u16_at(&end, 6) != 0 || u16_at(&end, 8) != count || u16_at(&end, 20) != 0 {
        return Err(Refusal::whole(say!(
            "is not a bundle: the end of the archive speaks of several disks or a comment, which bundles do not have"
        )));
    }
    if usize::from(count) > limits.entries {
        return Err(Refusal::whole(say!("has more than {} entries", limits.entries)));
    }
    if start + u64::from(size) + END as u64 != length {
        return Err(Refusal::whole(say!(
            "is not a bundle: bytes that belong to nothing lie around the archive's directory"
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
    let mut seen = BTreeSet::new();
    for number in 1..=count {
        let broken = || Refusal::whole(say!("the archive's directory breaks off at entry {number}"));
        let line = lines.get(..LINE).ok_or_else(broken)?;
        let length = usize::from(u16_at(line, 28));
        let raw = lines.get(LINE..LINE + length).ok_or_else(broken)?;
        let Ok(name) = std::str::from_utf8(raw) else {
            let shown = String::from_utf8_lossy(raw).into_owned();
            return Err(Refusal::at(shown, say!("is the name of an entry that is not UTF-8")));
        };
        let refuse = |why: Sentence| Err(Refusal::at(name, why));
        if !line.starts_with(b"PK\x01\x02") {
            return Err(broken());
        }
        let flags = u16_at(line, 8);
        if flags & 1 != 0 {
            return refuse(say!("is encrypted, which nothing in a bundle is"));
        }
        if u32_at(line, 38) != PLAIN {
            return refuse(say!("is not a plain file: links, folders and programs are nothing for a bundle"));
        }
        if let Err(why) = is_place(name) {
            return refuse(say!("is the name of an entry that {why}"));
        }
        if !seen.insert(name.to_lowercase()) {
            return refuse(say!("is the name of two entries, letter case aside"));
        }
        let fixed = u16_at(line, 10) == DEFLATED
            && flags & !(UTF8 | EFFORT) == 0
            && (u16_at(line, 12), u16_at(line, 14)) == (0, DATE)
            // No fields beside, no comment, one disk, no text.
            && (u16_at(line, 30), u16_at(line, 32), u16_at(line, 34), u16_at(line, 36)) == (0, 0, 0, 0)
            // Made on Unix; what the writer of the archive understands itself is fixed with it.
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
        lines = &lines[LINE + length..];
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
        let length = HEAD + entry.name.len();
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
            && &head[HEAD..] == entry.name.as_bytes();
        if !same {
            return refuse(say!(
                "is described in one way before its content and in another in the directory"
            ));
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
            return refuse(say!("unpacks to more than {} times its size, as only a bomb does", limits.ratio));
        }
        at += length as u64 + entry.packed;
    }
    if at != directory {
        return Err(Refusal::whole(say!(
            "is not a bundle: bytes that belong to no entry lie before the archive's directory"
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
