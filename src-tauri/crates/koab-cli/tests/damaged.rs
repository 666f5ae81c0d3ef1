//! Runs whose journals were damaged, gone on with: each ends with the log of an undisturbed run, and says what was damaged.

use crate::support::dice::Dice;
use crate::support::logs::{folder, same_logs};
use crate::support::{Koab, read_json};
use std::fs;

/// Journals that are damaged, one after the other.
const JOURNALS: u64 = 30;

#[test]
fn damaged_journals_are_gone_on_with_to_the_log_of_an_undisturbed_run() {
    let (koab, calm) = (Koab::new(), tempfile::tempdir().expect("a folder"));
    let run = koab.json(&["run", "--model", "baseline/golden", "--levels", "L1"])["run"].clone();
    let made = folder(&run);
    let id = koab.json(&["runs", "list"])[0]["id"].as_str().expect("an id").to_owned();
    let [journal, manifest, log] = ["journal.jsonl", "run.json", "L1.json"].map(|name| made.join(name));
    let (lines, description) = (fs::read(&journal).expect("read"), fs::read(&manifest).expect("read"));
    fs::rename(&log, calm.path().join("L1.json")).expect("moved");
    let (mut dice, mut told) = (Dice::new(), 0);
    for round in 0..JOURNALS {
        let mut damaged = lines.clone();
        let end = damaged.len() as u64;
        match round % 3 {
            // A bit, some bits, an end that is cut off.
            0 => damaged[dice.below(end) as usize] ^= 1 << dice.below(8),
            1 => (0..5).for_each(|_| damaged[dice.below(end) as usize] ^= 1 << dice.below(8)),
            _ => damaged.truncate(dice.below(end) as usize),
        }
        fs::write(&journal, &damaged).expect("written");
        fs::write(&manifest, &description).expect("written");
        let _ = fs::remove_file(&log);
        let ran = koab.run(&["run", "--resume", &id]);
        let said = ran.stdout + &ran.stderr;
        assert_eq!(ran.code, 0, "round {round}: {said}");
        same_logs(calm.path(), &made);
        let counts = read_json(&manifest)["attempts"].clone();
        assert_eq!(counts["done"], run["planned"], "round {round}: {counts}");
        told += u32::from(said.contains("is damaged") || said.contains("run.json counts"));
    }
    // A line that is cut off where another begins may be one that was never written.
    assert!(told * 2 > JOURNALS as u32, "{told} of {JOURNALS} were told");
}
