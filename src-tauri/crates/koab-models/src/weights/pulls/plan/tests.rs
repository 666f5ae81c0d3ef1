use super::*;
use koab_local::library::Kind;
use koab_local::library::choose::RepositoryFile;
use std::fs;

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

fn hash(digit: char) -> String {
    digit.to_string().repeat(64)
}

fn hub_file(path: &str, size: u64, digit: char) -> HubFile {
    HubFile { path: path.to_owned(), size, hash: FileHash::of_hex(&hash(digit)).expect("64 digits") }
}

fn repository() -> Repository {
    Repository {
        repo: "org/name".to_owned(),
        commit: COMMIT.to_owned(),
        files: vec![
            hub_file("m-Q8_0.gguf", 8_000, 'a'),
            hub_file("README.md", 10, 'b'),
            hub_file("config.json", 10, 'c'),
            hub_file("other.gguf", 4_000, 'd'),
        ],
        licence: None,
        gated: false,
        architectures: Vec::new(),
        parameters: None,
        context: None,
    }
}

fn offer() -> Offer {
    let file = |path: &str, size| RepositoryFile { path: path.to_owned(), size };
    Offer {
        kind: Kind::Gguf,
        file: "m-Q8_0.gguf".to_owned(),
        quantization: Some("Q8_0".to_owned()),
        files: vec![
            file("m-Q8_0.gguf", 8_000),
            file("config.json", 10),
            file("README.md", 10),
            file("gone.txt", 3),
        ],
    }
}

fn plan(cached: &Cached) -> Plan {
    Plan::new(("org/name", "main"), &repository(), &offer(), cached)
}

#[test]
fn a_plan_has_the_offer_s_files_smallest_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let cached = Cached::of_model(folder.path(), "org/name");
    let plan = plan(&cached);
    let files: Vec<(&str, u64)> = plan.files.iter().map(|file| (file.path.as_str(), file.size)).collect();
    // Equal sizes stand by their names, and what the repository does not have is none.
    assert_eq!(files, [("README.md", 10), ("config.json", 10), ("m-Q8_0.gguf", 8_000)]);
    assert_eq!((plan.total(), plan.file.as_str()), (8_020, "m-Q8_0.gguf"));
    assert_eq!(plan.id, "org-name-01234567-m-Q8_0");
    assert!(plan.files.iter().all(|file| file.brought));
    assert_eq!(plan.files[0].hash, hash('b'));
}

#[test]
fn an_id_has_no_sign_that_a_file_s_name_cannot_have() {
    let folder = tempfile::tempdir().expect("a folder");
    let cached = Cached::of_model(folder.path(), "org/name");
    let odd = Offer { file: "sub dir/m:Q4?.gguf".to_owned(), ..offer() };
    let short = Repository { commit: "abc".to_owned(), ..repository() };
    let plan = Plan::new(("org/네임", "main"), &short, &odd, &cached);
    assert_eq!(plan.id, "org----abc-sub-dir-m-Q4-");
}

#[test]
fn what_was_here_before_is_not_brought() {
    let folder = tempfile::tempdir().expect("a folder");
    let cached = Cached::of_model(folder.path(), "org/name");
    cached.prepare().expect("made");
    fs::write(cached.blob(&hash('c')), "0123456789").expect("written");
    cached.link(COMMIT, "config.json", &hash('c')).expect("linked");
    let brought: Vec<bool> = plan(&cached).files.iter().map(|file| file.brought).collect();
    assert_eq!(brought, [true, false, true]);
}

#[test]
fn bytes_that_are_here_are_counted_whole_or_half_fetched() {
    let folder = tempfile::tempdir().expect("a folder");
    let cached = Cached::of_model(folder.path(), "org/name");
    cached.prepare().expect("made");
    let plan = plan(&cached);
    let here = || -> Vec<u64> { plan.files.iter().map(|file| file.here(&cached, COMMIT)).collect() };
    assert_eq!(here(), [0, 0, 0]);
    fs::write(cached.incomplete(&hash('a')), vec![0; 3_000]).expect("written");
    // A content that another model brought is here as well.
    fs::write(cached.blob(&hash('b')), "0123456789").expect("written");
    assert_eq!(here(), [10, 0, 3_000]);
    // More than it can be is not counted.
    fs::write(cached.incomplete(&hash('a')), vec![0; 9_000]).expect("written");
    assert_eq!(here(), [10, 0, 8_000]);
    let state = plan.state(PullStanding::Paused, |_, file| file.here(&cached, COMMIT));
    assert_eq!((state.done, state.total, state.files), (8_010, 8_020, (2, 3)));
    assert_eq!(
        (state.standing, state.speed, state.id.as_str()),
        (PullStanding::Paused, None, plan.id.as_str())
    );
}

#[test]
fn plans_are_kept_until_they_are_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let cached = Cached::of_model(folder.path(), "org/name");
    let pulls = folder.path().join("pulls");
    assert!(Plan::all(&pulls).expect("no folder").is_empty());
    let first = plan(&cached);
    let second = Plan { id: "a-second".to_owned(), ..first.clone() };
    first.write(&pulls).expect("written");
    second.write(&pulls).expect("written");
    // What is no plan is left alone.
    fs::write(pulls.join("notes.txt"), "x").expect("written");
    let all = || Plan::all(&pulls).expect("read");
    let ids = || -> Vec<String> { all().into_iter().map(|plan| plan.id).collect() };
    assert_eq!(ids(), ["a-second", "org-name-01234567-m-Q8_0"]);
    let read = all().remove(1);
    assert_eq!((read.commit.as_str(), read.files.len(), read.kind), (COMMIT, 3, LocalKind::Gguf));
    first.remove(&pulls).expect("removed");
    first.remove(&pulls).expect("what is gone is gone");
    assert_eq!(ids(), ["a-second"]);
    assert!(pulls.join("notes.txt").exists());
    fs::write(pulls.join("broken.json"), "{").expect("written");
    let error = Plan::all(&pulls).expect_err("a damaged plan is a download that vanished");
    assert!(error.to_string().contains("broken.json"), "{error}");
    let blocked = folder.path().join("blocked");
    fs::write(&blocked, "").expect("written");
    let error = first.write(&blocked).expect_err("a file in the way");
    assert_eq!(error.code, koab_workspace::ErrorCode::Storage);
}

#[test]
fn a_damaged_hash_is_no_file_to_fetch() {
    let file = |hash: &str| PlanFile { path: "a".to_owned(), size: 1, hash: hash.to_owned(), brought: true };
    assert!(file(&hash('a')).wanted().is_some());
    assert!(file(&"1".repeat(40)).wanted().is_some());
    for damaged in ["", "x", "../../etc", &"A".repeat(64), &"a".repeat(63)] {
        assert!(file(damaged).wanted().is_none(), "{damaged}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut plan = plan(&Cached::of_model(folder.path(), "org/name"));
    plan.files[0].hash = "../x".to_owned();
    let said = super::super::fetching::files(folder.path(), &plan).err().expect("refused");
    assert_eq!(said.message.to_string(), "the plan of org/name is damaged; fetch it anew");
}
