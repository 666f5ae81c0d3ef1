use super::{MAX_ATTEMPTS, chosen, spec};
use crate::tests::desk::{Desk, on_l1, refused};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::run_record::{CacheMode, RequestedSettings};
use koab_library::{Origin, RunRequest};
use koab_models::LocalSettings;

fn golden() -> RunRequest {
    on_l1("baseline/golden")
}

fn set(change: impl FnOnce(&mut RequestedSettings)) -> RunRequest {
    let mut request = golden();
    change(&mut request.settings);
    request
}

#[test]
fn settings_that_make_no_sense_are_refused_with_the_one_that_does_not() {
    let desk = Desk::new();
    let pack = desk.runs.pack_for(None).unwrap();
    let constrained = LocalSettings { constrained: true, ..LocalSettings::default() };
    let time = "the time limit must be above 0 and at most 86400 seconds";
    let counts = "repetitions and steps must be 1 or more";
    let snapshot = || Some("before".to_owned());
    for (request, part) in [
        (set(|settings| settings.repetitions = 0), counts),
        (set(|settings| settings.max_steps = 0), counts),
        (set(|settings| settings.timeout_s = 0.0), time),
        (set(|settings| settings.timeout_s = -1.0), time),
        (set(|settings| settings.timeout_s = f64::NAN), time),
        (set(|settings| settings.timeout_s = 86_400.1), time),
        (set(|settings| settings.temperature = Some(-0.1)), "the temperature must be from 0 to 2"),
        (set(|settings| settings.temperature = Some(2.1)), "the temperature must be from 0 to 2"),
        (set(|settings| settings.temperature = Some(f64::NAN)), "the temperature must be from 0 to 2"),
        (
            RunRequest { cache_snapshot: snapshot(), cache_mode: CacheMode::Write, ..golden() },
            "a snapshot is only read; leave --cache-snapshot or --cache-mode write out",
        ),
        (
            RunRequest { cache_snapshot: snapshot(), with_overlay: true, ..golden() },
            "a snapshot holds the saved responses of its time already",
        ),
        (
            RunRequest {
                local: constrained.clone(),
                ..set(|settings| settings.protocol = Protocol::Leaderboard)
            },
            "constrained tool calls are not part of the leaderboard protocol",
        ),
    ] {
        refused(spec(&request, &pack).map(drop), part);
    }
    for request in [
        golden(),
        set(|settings| settings.timeout_s = 86_400.0),
        set(|settings| settings.temperature = Some(2.0)),
        RunRequest { local: constrained, ..set(|settings| settings.protocol = Protocol::Corrected) },
        // A run that completes another reads what that one read, and what was kept since.
        RunRequest {
            cache_snapshot: snapshot(),
            with_overlay: true,
            origin: Origin::Completes { run: "run".to_owned() },
            ..golden()
        },
    ] {
        spec(&request, &pack).unwrap();
    }
}

#[test]
fn an_address_that_may_hold_a_password_is_not_written_down() {
    let desk = Desk::new();
    let pack = desk.runs.pack_for(None).unwrap();
    for (address, kept) in [
        ("http://127.0.0.1:8080/v1", Some("http://127.0.0.1:8080/v1")),
        ("http://me:secret@127.0.0.1/v1", Some("http://…@127.0.0.1/v1")),
        ("http://127.0.0.1/v1?key=secret", Some("http://127.0.0.1/v1?…")),
    ] {
        let request = RunRequest { base_url: Some(address.to_owned()), ..golden() };
        assert_eq!(spec(&request, &pack).unwrap().base_url.as_deref(), kept);
    }
}

#[test]
fn tasks_are_chosen_by_level_and_id_in_the_order_of_the_pack() {
    let desk = Desk::new();
    let pack = desk.runs.pack_for(None).unwrap();
    let all: Vec<&str> = pack.tasks.values().flatten().map(|task| task.id.as_str()).collect();
    let ids = |levels: &[Level], tasks: &[&str]| -> Vec<String> {
        let tasks = tasks.iter().map(|task| (*task).to_owned()).collect();
        let request = RunRequest { levels: levels.to_vec(), tasks, ..golden() };
        chosen(&pack, &request).unwrap().into_iter().map(|task| task.id).collect()
    };
    assert_eq!(ids(&[], &[]), all);
    let of_two = ids(&[Level::L3, Level::L1], &[]);
    let wanted: Vec<&str> = (pack.tasks.iter())
        .filter(|(level, _)| [Level::L1, Level::L3].contains(level))
        .flat_map(|(_, tasks)| tasks.iter().map(|task| task.id.as_str()))
        .collect();
    assert_eq!(of_two, wanted);
    let (first, last) = (all[0], all[all.len() - 1]);
    assert_eq!(ids(&[], &[last, first, last]), [first, last], "each once, in the pack's order");
    assert_eq!(ids(&[pack.task(first).unwrap().level.clone()], &[first, last]), [first]);
}

#[test]
fn what_cannot_be_chosen_is_named_with_its_pack() {
    let desk = Desk::new();
    let pack = desk.runs.pack_for(None).unwrap();
    let label = pack.label();
    let first = pack.tasks.values().flatten().next().unwrap().id.clone();
    let none = |task: &str| RunRequest { tasks: vec![task.to_owned()], levels: Vec::new(), ..golden() };
    let too_many = RunRequest {
        settings: RequestedSettings { repetitions: u32::MAX, ..none(&first).settings },
        ..none(&first)
    };
    for (request, part) in [
        (none("L9-001"), format!("pack {label} has no task L9-001")),
        (none(""), format!("pack {label} has no task ")),
        (
            RunRequest { levels: vec![Level::L7], ..none(&first) },
            format!("pack {label} has no task in the chosen levels"),
        ),
        (too_many, format!("the run would have {} attempts, more than the allowed {MAX_ATTEMPTS}", u32::MAX)),
    ] {
        refused(chosen(&pack, &request).map(drop), &part);
    }
    let many = RunRequest {
        settings: RequestedSettings {
            repetitions: u32::try_from(MAX_ATTEMPTS).unwrap(),
            ..none(&first).settings
        },
        ..none(&first)
    };
    assert_eq!(chosen(&pack, &many).unwrap().len(), 1, "as many as there can be");
}

#[test]
fn a_request_is_refused_before_anybody_is_asked() {
    let desk = Desk::new();
    let check = |request: RunRequest| desk.runs.check_request(&request);
    check(golden()).unwrap();
    refused(check(RunRequest { levels: Vec::new(), ..golden() }), "no level is chosen");
    refused(check(RunRequest { pack: Some("none".to_owned()), ..golden() }), "none");
    let missed = RunRequest { origin: Origin::Completes { run: "none".to_owned() }, ..golden() };
    refused(check(missed), "none");
    // The settings of a run that goes on are its own.
    check(RunRequest { origin: Origin::resume("none"), levels: Vec::new(), ..golden() }).unwrap();
}
