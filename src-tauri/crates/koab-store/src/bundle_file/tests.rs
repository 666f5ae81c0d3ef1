use super::*;
use koab_core::sentence::Sentence;
use proptest::prelude::*;

const SMALL: Limits = Limits {
    entries: 5,
    manifest_bytes: 1 << 10,
    file_bytes: 3 << 20,
    journal_bytes: 8 << 20,
    total_bytes: 4 << 20,
    ratio: 100,
};

fn bundle(files: &[(&str, &[u8])]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("b.koab");
    let entries: Vec<_> = files
        .iter()
        .map(|(name, content)| {
            let source = Source::Bytes(content.to_vec());
            let digest = source.digest().expect("read");
            ((*name).to_owned(), source, digest)
        })
        .collect();
    write(&path, &entries, || Ok(())).expect("written");
    std::fs::read(&path).expect("read")
}

/// What comes out of every entry, or the refusal.
fn read(bytes: &[u8]) -> std::result::Result<Vec<(String, Vec<u8>)>, Sentence> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("b.koab");
    std::fs::write(&path, bytes).expect("written");
    let said = |refusal: Refusal| format!("{}: {}", refusal.place, refusal.why);
    let mut file = BundleFile::open(&path, SMALL).map_err(said)?;
    let names = file.names().to_vec();
    names.into_iter().map(|name| Ok((name.clone(), file.read(&name, 3 << 20).map_err(said)?))).collect()
}

fn refusal(bytes: &[u8]) -> Sentence {
    read(bytes).expect_err("refused")
}

/// The bytes with every place of one text that has the same length put into the other.
fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut bytes = bytes.to_vec();
    for at in 0..=bytes.len() - from.len() {
        if bytes[at..].starts_with(from) {
            bytes[at..at + to.len()].copy_from_slice(to);
        }
    }
    bytes
}

#[test]
fn what_is_written_is_read_and_the_same_files_are_the_same_bytes() {
    let files: &[(&str, &[u8])] = &[("koab.json", b"{}"), ("run/L1.json", "가나".as_bytes()), ("e", b"")];
    let bytes = bundle(files);
    assert_eq!(bytes, bundle(files));
    let read = read(&bytes).expect("read");
    let wanted: Vec<(String, Vec<u8>)> =
        files.iter().map(|(name, content)| ((*name).to_owned(), content.to_vec())).collect();
    assert_eq!(read, wanted);
}

#[test]
fn hostile_names_are_refused_by_their_name() {
    let bytes = bundle(&[("koab.json", b"{}"), ("run/abcd.json", b"1"), ("run/b.json", b"2")]);
    for (name, why) in [
        ("../../a1.json", "is the name of an entry that leads out of the bundle"),
        ("/un/abcd.json", "is the name of an entry that is an absolute path"),
        ("C:n/abcd.json", "is the name of an entry that names a drive"),
        (
            "run\\abcd.json",
            "is the name of an entry that has a backslash, which some systems read as a separator of folders",
        ),
    ] {
        let made = replaced(&bytes, b"run/abcd.json", name.as_bytes());
        assert_eq!(refusal(&made), format!("{name}: {why}"));
    }
    let made = replaced(&bytes, b"run/abcd.json", b"run/\xff\xfecd.json");
    insta::assert_snapshot!(refusal(&made), @"run/��cd.json: is the name of an entry that is not UTF-8");
    let bytes = bundle(&[("koab.json", b"{}"), ("run/a.json", b"1"), ("run/b.json", b"2")]);
    let twice = replaced(&bytes, b"run/b.json", b"run/a.json");
    insta::assert_snapshot!(refusal(&twice), @"run/a.json: is the name of two entries, letter case aside");
    let cases = replaced(&bytes, b"run/b.json", b"run/A.json");
    insta::assert_snapshot!(refusal(&cases), @"run/A.json: is the name of two entries, letter case aside");
}

#[test]
fn what_is_no_plain_file_or_hidden_is_refused() {
    let bytes = bundle(&[("koab.json", b"{}"), ("run/L1.json", b"1")]);
    let line = bytes.windows(4).rposition(|window| window == b"PK\x01\x02").expect("a line of the directory");
    let with = |at: usize, value: u8| {
        let mut made = bytes.clone();
        made[line + at] = value;
        refusal(&made)
    };
    // Mode of a symbolic link, of a folder; the flag of encryption; another way of packing; another date.
    insta::assert_snapshot!(with(41, 0o120_000_u32.to_be_bytes()[2]), @"run/L1.json: is not a plain file: a bundle has no links, folders or programs");
    insta::assert_snapshot!(with(8, 1), @"run/L1.json: is encrypted, but no entry of a bundle is");
    insta::assert_snapshot!(with(10, 0), @"run/L1.json: is not packed as koab packs a file");
    insta::assert_snapshot!(with(14, 9), @"run/L1.json: is not packed as koab packs a file");
    let cut = &bytes[..bytes.len() - 5];
    insta::assert_snapshot!(refusal(cut), @": is not a whole bundle: it does not end as an archive does, so its end is missing or something was added");
    let mut before = b"#!/bin/sh\n".to_vec();
    before.extend_from_slice(&bytes);
    insta::assert_snapshot!(refusal(&before), @": is not a bundle: there are bytes around the archive's directory that belong to no entry");
    insta::assert_snapshot!(refusal(b""), @": is not a bundle: it is too short for an archive");
}

#[test]
fn bombs_are_refused_before_they_unpack() {
    let (big, many) = (vec![0; (3 << 20) + 1], vec![0; 2 << 20]);
    insta::assert_snapshot!(refusal(&bundle(&[("koab.json", b"{}"), ("run/L1.json", &big)])), @"run/L1.json: unpacks to more than 3 MB, which nothing in a bundle does");
    insta::assert_snapshot!(refusal(&bundle(&[("koab.json", b"{}"), ("run/L1.json", &many)])), @"run/L1.json: unpacks to more than 100 times its size, as only an archive bomb does");
    let names: Vec<String> = (0..6).map(|at| format!("f{at}")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"x"[..])).collect();
    insta::assert_snapshot!(refusal(&bundle(&files)), @": has more than 5 entries");
    // A size that is not the true one: more comes out, and it ends there.
    let mut lie = bundle(&[("koab.json", b"{}"), ("run/L1.json", &[b'x'; 1000])]);
    for at in 0..lie.len() - 4 {
        if lie[at..].starts_with(&1000_u32.to_le_bytes()) {
            lie[at..at + 4].copy_from_slice(&10_u32.to_le_bytes());
        }
    }
    insta::assert_snapshot!(refusal(&lie), @"run/L1.json: the archive is damaged here (File is larger than its declared uncompressed size)");
}

#[test]
fn a_journal_may_be_longer_than_what_is_held_in_memory() {
    let long: Vec<u8> =
        (0..5_u32 << 18).flat_map(|number| (number.wrapping_mul(2_654_435_761)).to_le_bytes()).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("b.koab");
    std::fs::write(&path, bundle(&[("koab.json", b"{}"), ("run/journal.jsonl", &long)])).expect("written");
    let mut file = BundleFile::open(&path, SMALL).expect("5 MB of 8");
    let mut bytes = 0;
    let read = file.each("run/journal.jsonl", |part| {
        bytes += part.len();
        Ok(())
    });
    assert!(read.is_ok() && bytes == long.len());
    let refused = refusal(&bundle(&[("koab.json", b"{}"), ("run/L1.json", &long)]));
    insta::assert_snapshot!(refused, @"run/L1.json: unpacks to more than 3 MB, which nothing in a bundle does");
}

proptest! {
    /// Whichever bit of an archive is another, it is refused or everything in it is as it was.
    #[test]
    fn a_flipped_bit_is_found_or_changes_nothing(at in any::<proptest::sample::Index>(), bit in 0_u8..8) {
        let files: &[(&str, &[u8])] = &[("koab.json", b"{\"format\": 1}"), ("run/L1.json", "가나다라".as_bytes())];
        let mut bytes = bundle(files);
        let whole = read(&bytes).expect("read");
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        if let Ok(found) = read(&bytes) {
            prop_assert_eq!(found, whole);
        }
    }
}
