//! Bundles of real runs: written, verified elsewhere, taken in; and every way of changing one is found.

#![allow(clippy::unwrap_used, clippy::print_stderr, clippy::panic, reason = "this is a test")]

mod files;
mod fixture;
mod mutations;

use files::Files;
use fixture::{Fixture, copy, run, shared, summary, verify, verify_with};
use koab_api::options::{EvaluateOptions, RunChoice};
use koab_api::{
    Api, BundleExtra, BundleRequest, Cancel, KeyPlace, Protocol, RunRequest, Sensitive, Severity,
    SignatureState,
};
use koab_api::{ImportOutcome, Verification};
use koab_core::run_record::RequestedSettings;
use proptest::prelude::*;

#[tokio::test]
async fn a_judged_run_verifies_anywhere_and_the_same_run_gives_the_same_bytes() {
    let fixture = Fixture::judged().await;
    let bundle = std::fs::read(&fixture.bundle).unwrap();
    let found = verify(&bundle);
    // Times are written with as many digits as they need.
    let bytes = found.counts.bytes.to_string();
    insta::assert_snapshot!(summary(&found).replace(&bytes, "BYTES"), @"
    held container 46 plain entries follow each other, with nothing between or around them
    held manifest koab.json: is a manifest of format 1, made by koab 0.1.0
    held files 45 files have the BYTES bytes and the hashes that the manifest says
    open signature koab.sig: the bundle is not signed: nothing says who made it
    held pack pack: 28 tasks and 27 tools are those that the run wrote down
    held run run/run.json: agrees with the journal on the settings, the outcome and the counts of 28 attempts
    held journal run/journal.jsonl: 28 attempts agree with the 61 steps that were recorded as they happened
    held logs run: 7 level logs with 28 tasks are those that the journal gives, byte for byte
    held calls run: 36 tool calls have the answers that the cached responses, the tool texts and the tasks give
    held verdicts verdicts/leaderboard.jsonl: 116 verdicts answer the 44 questions that the logs and the prompts give
    open verdicts verdicts/corrected.jsonl: the report has no judges, so there is no verdict to check
    held reports reports/leaderboard/evaluation_report.json: 192 values are the same when they are computed again, bit for bit, 55 of them from the verdicts
    held reports reports/corrected/evaluation_report.json: 192 values are the same when they are computed again, bit for bit, 0 of them from the verdicts
    held subject koab.json: the manifest's statements about the run agree with the files
    open subject koab.json: `made_by`, the time of day in the run's name and, to within a day, when its logs were written and when it ended are stated by the bundle alone: nothing else in the bundle confirms them
    ");
    assert!(found.ok);
    assert_eq!(found.signature, SignatureState::Unsigned);
    assert_eq!((found.counts.tasks, found.counts.reports), (28, 2));
    assert_eq!((found.counts.judged, found.counts.values), (55, 384));
    let again = fixture.folder.path().join("again.koab");
    fixture.write(BundleRequest::default(), &again).await.unwrap();
    assert_eq!(std::fs::read(&again).unwrap(), bundle);
}

/// What goes wrong, repetitions, both phases of L5, refused and missed calls: all of it must be found as it was.
#[tokio::test]
async fn runs_of_every_kind_verify() {
    for (model, protocol, repetitions, full_rollout) in [
        ("baseline/random", Protocol::Leaderboard, 1, false),
        ("baseline/random", Protocol::Corrected, 3, false),
        ("baseline/silent", Protocol::Leaderboard, 2, false),
        ("baseline/golden", Protocol::Corrected, 1, true),
        ("baseline/golden", Protocol::Leaderboard, 1, true),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let api = Api::open(Some(folder.path().join("home"))).unwrap();
        let options = RunRequest {
            settings: RequestedSettings {
                protocol,
                repetitions,
                full_rollout,
                seed: Some(7),
                ..RequestedSettings::published()
            },
            ..RunRequest::published("one", model)
        };
        let id = run(&api, options).await;
        let options = EvaluateOptions {
            scorers: vec![Protocol::Leaderboard, Protocol::Corrected],
            all_metrics: true,
            ..EvaluateOptions::published(RunChoice::Run(id.clone()))
        };
        api.runs.scoring.evaluate(options, &|_, _| {}, &Cancel::new()).await.unwrap();
        let to = folder.path().join("b.koab");
        let request = BundleRequest { run: id, ..BundleRequest::default() };
        let written = api.exchange.bundle_write(request, Vec::new(), to.clone(), &Cancel::new()).await;
        let written = written.unwrap_or_else(|error| panic!("{model} {protocol}: {error}"));
        assert_eq!(written.without, Vec::<String>::new());
        let found = verify(&std::fs::read(to).unwrap());
        assert!(found.ok, "{model} {protocol}: {}", summary(&found));
        assert!(found.checks.iter().all(|check| !check.is_error()));
    }
}

/// The published runs were made elsewhere: no journal, no recordings, and a word on each.
#[tokio::test]
async fn the_published_runs_verify_with_their_reports() {
    let (Some(parity), Some(data)) = (shared("parity"), shared("ko-agentbench")) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    copy(&parity.join("logs"), &folder.path().join("home/logs"));
    copy(&parity.join("reports"), &folder.path().join("home/reports"));
    let api = Api::open(Some(folder.path().join("home"))).unwrap();
    let pack = api.packs.import(&data).unwrap();
    api.packs.activate(&pack.pack.name).unwrap();
    let runs = api.runs.library.runs_list().unwrap();
    assert_eq!(runs.len(), 8);
    for run in runs {
        let to = folder.path().join("b.koab");
        let request = BundleRequest { run: run.id.clone(), ..BundleRequest::default() };
        let written = api.exchange.bundle_write(request, Vec::new(), to.clone(), &Cancel::new()).await;
        written.unwrap_or_else(|error| panic!("{}: {error}", run.id));
        let found = verify(&std::fs::read(&to).unwrap());
        assert!(found.ok, "{}: {}", run.id, summary(&found));
        assert_eq!((found.counts.tasks, found.counts.reports), (91, 1), "{}", run.id);
        assert!(found.counts.judged > 140, "{}", run.id);
        let open = found.checks.iter().filter(|check| check.severity == Severity::Note);
        let open: Vec<String> = open.map(|check| format!("{:?} {}", check.code, check.place())).collect();
        assert_eq!(
            open,
            ["Signature koab.sig", "Pack pack", "Run run/run.json", "Calls run", "Subject koab.json"],
            "{}",
            run.id
        );
    }
}

#[tokio::test]
async fn a_signature_names_its_signer_and_a_demanded_one_must_be_theirs() {
    let fixture = Fixture::judged().await;
    let unsigned = std::fs::read(&fixture.bundle).unwrap();
    let key = Sensitive::new("MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=".to_owned());
    fixture.api.keys.set("KOAB_SIGNING_KEY", &key, KeyPlace::Session).await.unwrap();
    let ours = fixture.api.exchange.bundle_key(KeyPlace::Session).await.unwrap();
    assert!(!ours.made);
    let to = fixture.folder.path().join("signed.koab");
    let request = BundleRequest { sign: true, ..BundleRequest::default() };
    let written = fixture.write(request, &to).await.unwrap();
    assert_eq!(written.signed_by.as_deref(), Some(ours.public_key.as_str()));
    let signed = std::fs::read(&to).unwrap();
    assert!(!signed.windows(12).any(|window| window == b"MDEyMzQ1Njc4"));
    let found = verify(&signed);
    assert!(found.ok, "{}", summary(&found));
    assert_eq!(
        (found.signature, found.signed_by.as_deref()),
        (SignatureState::Signed, Some(ours.public_key.as_str()))
    );
    let found = verify_with(&signed, Some(&ours.public_key)).unwrap();
    assert_eq!((found.ok, found.signature), (true, SignatureState::Trusted));
    // Somebody else's key, made of other bytes.
    let other = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";
    let failures = |bytes: &[u8], key: &str| summary(&verify_with(bytes, Some(key)).unwrap());
    assert!(failures(&signed, other).contains("FAILED signature koab.sig: the bundle is signed by"));
    assert!(
        failures(&unsigned, other)
            .contains("FAILED signature koab.sig: the bundle is not signed, and a signature of")
    );
    let error = verify_with(&signed, Some("nonsense")).unwrap_err();
    assert!(error.message.to_string().starts_with("--key takes a public key"), "{error}");
}

#[tokio::test]
async fn a_bundle_is_taken_in_once_it_verifies_and_never_otherwise() {
    let fixture = Fixture::judged().await;
    let bytes = std::fs::read(&fixture.bundle).unwrap();
    let home = tempfile::tempdir().unwrap();
    let api = Api::open(Some(home.path().to_owned())).unwrap();
    let path = home.path().join("b.koab");
    std::fs::write(&path, &bytes).unwrap();
    let result = api.exchange.import("one", std::slice::from_ref(&path), &|_, _| {}, &Cancel::new()).unwrap();
    let ids: Vec<_> = result.items.iter().map(|item| (item.outcome, item.id.clone().unwrap())).collect();
    assert_eq!(ids.len(), 3, "{result:?}");
    assert!(ids.iter().all(|(outcome, _)| *outcome == ImportOutcome::Added), "{ids:?}");
    assert_eq!(api.runs.library.runs_list().unwrap()[0].id, fixture.run);
    assert!(api.runs.library.runs_list().unwrap()[0].complete);
    assert_eq!(api.runs.library.reports_library().unwrap().len(), 2);
    let result = api.exchange.import("two", std::slice::from_ref(&path), &|_, _| {}, &Cancel::new()).unwrap();
    assert!(result.items.iter().all(|item| item.outcome == ImportOutcome::AlreadyThere), "{result:?}");
    // What was taken in is a run like any other, down to a bundle of its own.
    let mut files = Files::unpack(&bytes);
    files.edit("run/L1.json", |text| text.replacen("L1-001", "L1-009", 1));
    std::fs::write(&path, files.raw()).unwrap();
    let fresh = tempfile::tempdir().unwrap();
    let api = Api::open(Some(fresh.path().to_owned())).unwrap();
    let result = api.exchange.import("three", &[path], &|_, _| {}, &Cancel::new()).unwrap();
    assert_eq!(result.items.len(), 1);
    insta::assert_snapshot!(result.items[0].reason.clone().unwrap(), @"is a bundle that does not verify: run/L1.json: the content does not have the hash that the manifest says; it was changed or damaged");
    assert!(api.runs.library.runs_list().unwrap().is_empty());
}

#[tokio::test]
async fn what_does_not_belong_into_a_bundle_is_kept_out() {
    let fixture = Fixture::judged().await;
    let to = fixture.folder.path().join("no.koab");
    let write = async |request: BundleRequest, extra: Vec<BundleExtra>| {
        let written = fixture.api.exchange.bundle_write(request, extra, to.clone(), &Cancel::new()).await;
        let error = written.unwrap_err();
        assert!(!to.exists());
        error.message
    };
    let request = || BundleRequest { run: fixture.run.clone(), ..BundleRequest::default() };
    let extra = |path: &str, content: &str| {
        vec![BundleExtra { path: path.to_owned(), content: content.as_bytes().to_vec() }]
    };
    insta::assert_snapshot!(write(request(), extra("run/L1.json", "{}")).await, @"run/L1.json lies outside submission/, so it cannot go into a bundle");
    insta::assert_snapshot!(write(request(), extra("submission/../x", "{}")).await, @"submission/../x leads out of the bundle, so it cannot go into a bundle");
    // A key of this process that got into a file, wherever from.
    let key = Sensitive::new("sk-canary-0123456789abcdef".to_owned());
    fixture.api.keys.set("OPENAI_API_KEY", &key, KeyPlace::Session).await.unwrap();
    let leak = extra("submission/README.md", "see sk-canary-0123456789abcdef");
    insta::assert_snapshot!(write(request(), leak).await, @"submission/README.md holds the value of the key OPENAI_API_KEY, so no bundle is made of it; take it out of that file first");
    // A report that was changed by hand is not handed on.
    let report = fixture.api.workspace.home().reports();
    let folder = std::fs::read_dir(report).unwrap().map(|entry| entry.unwrap().path());
    let folder = folder.min_by_key(|path| path.as_os_str().len()).unwrap();
    let path = folder.join("evaluation_report.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("\"ToolAcc\": 1.0", "\"ToolAcc\": 0.5", 1)).unwrap();
    let refused = write(request(), Vec::new()).await;
    assert!(
        refused.to_string().contains(
            "cannot be bundled, because it would not verify: reports/leaderboard/evaluation_report.json: "
        ),
        "{refused}"
    );
}

#[test]
fn what_is_no_bundle_at_all_is_said() {
    for (bytes, what) in [
        (&b""[..], "nothing"),
        (b"hello", "text"),
        (b"PK\x03\x04 and no more of it than a few bytes", "the start of an archive"),
    ] {
        let found = verify(bytes);
        assert!(!found.ok, "{what}");
        assert_eq!(found.checks.len(), 1);
        assert!(found.checks[0].sentence.to_string().starts_with("is not a "), "{what}: {:?}", found.checks);
    }
}

fn clean(found: &Verification) -> bool {
    found.ok && found.checks.iter().any(|check| check.severity == Severity::Pass)
}

#[test]
fn a_byte_that_is_another_is_found_wherever_it_is() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let fixture = runtime.block_on(Fixture::small());
    let whole = std::fs::read(&fixture.bundle).unwrap();
    let files = Files::unpack(&whole);
    assert!(clean(&verify(&whole)));
    let whole_manifest = without_own_word(&files);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(60));
    // In the content of the files …
    let places = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 1_u8..=255);
    runner
        .run(&places, |(file, at, by)| {
            let mut files = files.clone();
            let name = files.names()[file.index(files.names().len())].clone();
            let content = files.content(&name);
            prop_assume!(!content.is_empty());
            let at = at.index(content.len());
            content[at] ^= by;
            if verify(&files.raw()).ok {
                let is_own_word = name == "koab.json" && without_own_word(&files) == whole_manifest;
                prop_assert!(is_own_word, "{name} at {at}");
            }
            Ok(())
        })
        .unwrap();
    // … and anywhere in the archive: what is not found has changed no byte of any file.
    let places = (any::<prop::sample::Index>(), 1_u8..=255);
    runner
        .run(&places, |(at, by)| {
            let mut bytes = whole.clone();
            let at = at.index(bytes.len());
            bytes[at] ^= by;
            if verify(&bytes).ok {
                prop_assert_eq!(Files::unpack(&bytes), files.clone());
            }
            Ok(())
        })
        .unwrap();
}

/// The manifest without what no other file of a bundle holds, which the answer says: who made it, and the time of day in the
/// run's name.
fn without_own_word(files: &Files) -> Option<serde_json::Value> {
    let mut manifest: serde_json::Value = serde_json::from_str(&files.text_of("koab.json")?).ok()?;
    manifest["made_by"].take();
    let run = manifest["subject"]["run"].as_str()?;
    let day = run.rsplit_once('_').map(|(day, _)| day.to_owned());
    manifest["subject"]["run"] = serde_json::json!(day);
    Some(manifest)
}

/// Every value in turn is another one: each is held by the files, or said to be the bundle's own word.
#[test]
fn no_value_of_the_manifest_can_be_another() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let fixture = runtime.block_on(Fixture::small());
    let files = Files::unpack(&std::fs::read(&fixture.bundle).unwrap());
    let manifest: serde_json::Value = serde_json::from_str(&files.text("koab.json")).unwrap();
    let mut places = Vec::new();
    leaves(&manifest, String::new(), &mut places);
    assert!(places.len() > 50, "{} values", places.len());
    let mut own_word = Vec::new();
    for place in &places {
        let mut changed = files.clone();
        changed.manifest(|manifest| another(manifest.pointer_mut(place).unwrap()));
        if verify(&changed.raw()).ok {
            own_word.push(place.as_str());
        }
    }
    assert_eq!(own_word, ["/made_by"]);
    let mut changed = files.clone();
    changed.manifest(|manifest| {
        let run = manifest["subject"]["run"].as_str().unwrap();
        let (day, time) = run.rsplit_once('_').unwrap();
        let other = if time == "010203" { "010204" } else { "010203" };
        manifest["subject"]["run"] = serde_json::json!(format!("{day}_{other}"));
    });
    let found = verify(&changed.raw());
    assert!(found.ok, "{}", summary(&found));
    let open = "`made_by`, the time of day in the run's name and, to within a day, when its logs were written and when it \
                ended are stated by the bundle alone";
    assert!(summary(&found).contains(open), "{}", summary(&found));
    let mut changed = files.clone();
    mutations::log_time(&mut changed, "L1", mutations::an_hour_off);
    let found = verify(&changed.rehashed());
    assert!(found.ok && summary(&found).contains(open), "{}", summary(&found));
}

/// The places of all values that hold no others.
fn leaves(value: &serde_json::Value, at: String, places: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(map) if !map.is_empty() => {
            for (key, value) in map {
                leaves(value, format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), places);
            }
        }
        serde_json::Value::Array(list) if !list.is_empty() => {
            for (number, value) in list.iter().enumerate() {
                leaves(value, format!("{at}/{number}"), places);
            }
        }
        _ => places.push(at),
    }
}

/// Another value of the same kind.
fn another(value: &mut serde_json::Value) {
    use serde_json::Value;
    *value = match value {
        Value::String(text) => format!("{text}x").into(),
        Value::Number(number) => match number.as_u64() {
            Some(number) => (number + 1).into(),
            None => 0.25.into(),
        },
        Value::Bool(is) => (!*is).into(),
        Value::Array(_) => serde_json::json!(["x"]),
        Value::Null | Value::Object(_) => 1.into(),
    };
}

/// Bundles are opened by people from all over: the check must not touch the workspace that it happens to run beside.
#[tokio::test]
async fn verifying_makes_no_workspace() {
    let fixture = Fixture::small().await;
    let home = fixture.folder.path().join("untouched");
    let api = Api::open(Some(home.clone())).unwrap();
    let found = api.exchange.bundle_verify(fixture.bundle.clone(), None, &Cancel::new()).await.unwrap();
    assert!(found.ok, "{}", summary(&found));
    assert!(!home.exists());
    let gone = Cancel::new();
    gone.cancel();
    let stopped = api.exchange.bundle_verify(fixture.bundle.clone(), None, &gone).await;
    assert_eq!(stopped.unwrap_err().code, koab_api::ErrorCode::Cancelled);
}
