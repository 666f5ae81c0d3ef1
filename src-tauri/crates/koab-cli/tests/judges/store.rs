//! A workspace's database that is locked or damaged while judges are asked.

use super::server::Judges;
use super::{evaluate, golden};
use std::io::Read as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

/// The call at whose arrival another program locks the database. By then the answers of all but
/// those in flight are stored.
const LOCKED_AT: u64 = 20;
/// Two judges have 48 questions about these levels.
const JUDGES: [&str; 2] = ["openai_compat/a", "openai_compat/b"];
/// Calls in flight.
const IN_FLIGHT: u64 = 8;

/// Locks the database for writing until the end of the input.
const LOCK: &str = "import sqlite3, sys
other = sqlite3.connect(sys.argv[1], isolation_level=None)
other.execute('BEGIN IMMEDIATE')
print('locked', end='', flush=True)
sys.stdin.read()";

/// Overwrites the first page of the table of verdicts.
const DAMAGE: &str = "import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute('PRAGMA wal_checkpoint(TRUNCATE)')
page, = database.execute(\"SELECT rootpage FROM sqlite_master WHERE name = 'verdict'\").fetchone()
size, = database.execute('PRAGMA page_size').fetchone()
database.close()
with open(sys.argv[1], 'r+b') as file:
    file.seek((page - 1) * size)
    file.write(bytes([255]) * size)";

#[test]
fn a_damaged_table_of_verdicts_gives_one_sentence_and_nobody_is_asked() {
    let (koab, folder) = golden("L7");
    let judges = Judges::start();
    koab.json(&evaluate(&folder, &judges, &JUDGES, &[]));
    let (asked, reports) = (judges.calls(), koab.json(&["report", "list"]));
    assert!(asked > 0);
    let mut damage = Command::new("python3");
    damage.args(["-c", DAMAGE]).arg(koab.home.path().join("koab.sqlite"));
    assert!(damage.status().expect("python3 starts").success());
    let ran = koab.run(&evaluate(&folder, &judges, &JUDGES, &[]));
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("koab.sqlite is damaged"), "{}", ran.stderr);
    assert_eq!(judges.calls(), asked, "their answers could not be stored");
    assert_eq!(koab.json(&["report", "list"]), reports, "no other report");
}

#[test]
fn a_database_that_is_locked_while_judges_are_asked_gives_one_sentence_and_no_report() {
    let (calm, its_folder) = golden("L6,L7");
    let of_calm = Judges::start();
    let expected = calm.json(&evaluate(&its_folder, &of_calm, &JUDGES, &[]))[0].clone();
    let all = of_calm.calls();
    assert!(all > LOCKED_AT + 2 * IN_FLIGHT, "{all} questions");

    let (koab, folder) = golden("L6,L7");
    let database: PathBuf = koab.home.path().join("koab.sqlite");
    let lock: Arc<Mutex<Option<Child>>> = Arc::default();
    let held = Arc::clone(&lock);
    let judges = Judges::start_with(move |call| {
        // Other calls wait until the database is locked.
        let mut held = held.lock().expect("no panic");
        if call == LOCKED_AT {
            let mut other = Command::new("python3")
                .args(["-c", LOCK])
                .arg(&database)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("python3 starts");
            let mut locked = [0; 6];
            other.stdout.as_mut().expect("its output").read_exact(&mut locked).expect("locked");
            *held = Some(other);
        }
    });
    let words = evaluate(&folder, &judges, &JUDGES, &[]);
    let ran = koab.run(&words);
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    let sentences: Vec<&str> = ran.stderr.lines().filter(|line| !line.starts_with("judged: ")).collect();
    assert_eq!(sentences.len(), 1, "{}", ran.stderr);
    assert!(sentences[0].contains("another process is writing to koab.sqlite"), "{}", ran.stderr);
    let asked = judges.calls();
    assert!(asked < all, "{asked} of {all}: nobody is asked whose answer cannot be stored");
    assert_eq!(koab.json(&["report", "list"]).as_array().map(Vec::len), Some(0), "no report");

    let mut other = lock.lock().expect("no panic").take().expect("a lock");
    drop(other.stdin.take());
    assert!(other.wait().expect("ended").success());
    let report = koab.json(&words)[0].clone();
    assert_eq!(report["levels"], expected["levels"]);
    let again = judges.calls() - asked;
    assert!(again <= all - (LOCKED_AT - IN_FLIGHT), "{again} of {all} were asked again");
}
