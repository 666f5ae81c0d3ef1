//! Journals and manifests: what is written is read back, and what was damaged is never taken for what was written.

use super::*;
use crate::event::{LevelPlan, RunOutcome};
use crate::sentence::{Sentence, ToSentence as _};
use crate::split_mix::SplitMix;
use proptest::prelude::*;
use serde_json::json;

fn attempt(task: &str, repetition: u32, stop: StopReason, text: &str) -> AttemptRecord {
    let step = StepRecord {
        step: 1,
        phase: 1,
        ttft_s: None,
        latency_s: 0.1 + f64::from(repetition) / 3.0,
        usage: Some(TokenUsage { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }),
        finish: Some("stop".to_owned()),
        left_out: None,
        written: None,
    };
    AttemptRecord {
        task: task.to_owned(),
        level: Level::L1,
        repetition,
        success: stop == StopReason::Answered,
        stop,
        error: stop.is_technical().then(|| "the server is down".into()),
        took_s: 1.5,
        steps: vec![step],
        calls: Vec::new(),
        final_response: Some(text.to_owned()),
        messages: vec![json!({"role": "user", "content": text})],
        agent: None,
    }
}

fn start(at_ms: u64) -> JournalLine {
    JournalLine::Run {
        format: RunFormat::UNCHANGED,
        at_ms,
        spec: Box::new(RunSpec::published("r", "pack@1", "a/b")),
    }
}

fn step_of(record: &AttemptRecord) -> JournalLine {
    JournalLine::Step(Box::new(StepLine {
        task: record.task.clone(),
        repetition: record.repetition,
        step: record.steps[0].clone(),
        content: record.final_response.clone().unwrap_or_default(),
        calls: Vec::new(),
        reply: Some(StepReply { calls: Vec::new(), opaque: None }),
    }))
}

/// A run that failed in part, was killed, and went on to its end.
fn lines() -> Vec<JournalLine> {
    let failed = attempt("L1-002", 1, StopReason::ModelFailed, "");
    let broken_off = attempt("L1-003", 1, StopReason::Answered, "반쯤");
    let mut lines = vec![start(1)];
    for record in [attempt("L1-001", 1, StopReason::Answered, "하나"), failed] {
        lines.extend([step_of(&record), JournalLine::Attempt { record }]);
    }
    lines.extend([step_of(&broken_off), start(9)]);
    for record in
        [attempt("L1-002", 1, StopReason::Answered, "둘"), attempt("L1-003", 1, StopReason::Answered, "셋")]
    {
        lines.extend([step_of(&record), JournalLine::Attempt { record }]);
    }
    lines.push(JournalLine::End { outcome: RunOutcome::Completed, reason: None });
    lines
}

fn text(lines: &[JournalLine]) -> Vec<u8> {
    let texts = lines.iter().map(|line| line.text().expect("JSON"));
    texts.collect::<String>().into_bytes()
}

fn manifest(journal: &Journal) -> RunManifest {
    let tasks = ["L1-001", "L1-002", "L1-003"].map(str::to_owned).into();
    let level = Level::L1;
    let mut manifest = RunManifest {
        outcome: Some(RunOutcome::Completed),
        updated_ms: 12,
        ..RunManifest::begun(RunSpec::published("r", "pack@1", "a/b"), 9, vec![LevelPlan { level, tasks }])
    };
    let mut tally = AttemptTally::default();
    for record in journal.attempts.iter() {
        tally.add(&AttemptSummary::from_record(record.clone().into(), LinePlace::default()));
    }
    manifest.count(3, &tally);
    manifest
}

/// All that a journal says, in a form that can be compared.
fn contents(journal: &Journal) -> (Vec<AttemptRecord>, Vec<Start>, Option<RunOutcome>, TokenUsage) {
    (journal.attempts.iter().cloned().collect(), journal.starts.clone(), journal.outcome, journal.spent())
}

#[test]
fn a_new_start_makes_failures_again_and_the_last_attempt_counts() {
    let journal: Journal = Journal::read(&text(&lines()));
    let counting: Vec<_> =
        journal.attempts.iter().map(|a| (a.task.as_str(), a.stop, a.final_response.as_deref())).collect();
    assert_eq!(
        counting,
        [
            ("L1-001", StopReason::Answered, Some("하나")),
            ("L1-002", StopReason::Answered, Some("둘")),
            ("L1-003", StopReason::Answered, Some("셋")),
        ]
    );
    assert_eq!(journal.spent().total_tokens, 5 * 7, "every answered call of both starts");
    assert_eq!(journal.outcome, Some(RunOutcome::Completed));
    let killed: Journal = Journal::read(&text(&lines()[..6]));
    assert_eq!(killed.attempts.len(), 2, "a failure counts until it is made again");
    assert_eq!(killed.steps("L1-003", 1).len(), 1);
    assert_eq!(killed.spent().total_tokens, 3 * 7);
    assert_eq!(killed.finished().len(), 1, "and is made again");
}

/// A worker writes what it adds to an attempt into a file of its own.
#[test]
fn an_attempt_goes_on_behind_the_last_step_of_any_journal_that_has_some() {
    let record = attempt("L1-001", 1, StopReason::Answered, "하나");
    let journal = |steps: &[(u32, &str)]| -> Journal {
        let lines = steps.iter().map(|(number, content)| {
            let JournalLine::Step(mut line) = step_of(&record) else { unreachable!() };
            (line.step.step, line.content) = (*number, (*content).to_owned());
            JournalLine::Step(line)
        });
        Journal::read(&text(&lines.collect::<Vec<_>>()))
    };
    for (whole, own, goes_on_behind) in [
        (&[(1, "a"), (2, "a")][..], &[][..], &["a", "a"][..]),
        (&[(1, "a"), (2, "a")], &[(3, "b"), (4, "b")], &["a", "a", "b", "b"]),
        // A merge has taken some of it into the run's journal.
        (&[(1, "a"), (2, "a"), (3, "b")], &[(3, "b"), (4, "b")], &["a", "a", "b", "b"]),
        (&[], &[(1, "b"), (2, "b")], &["b", "b"]),
        (&[(1, "a"), (2, "a")], &[(1, "b")], &["b"]),
        // A loss of power took from here what was taken in before.
        (&[(1, "a"), (2, "a"), (3, "b")], &[(1, "a"), (2, "a")], &["a", "a", "b"]),
        (&[(1, "a"), (2, "a"), (3, "b")], &[(2, "a")], &["a", "a", "b"]),
        // A step between is damaged.
        (&[(1, "a")], &[(3, "b")], &["a"]),
        (&[(2, "a")], &[(4, "b")], &[]),
        // Two starts of a part went on behind its second step; the later one counts.
        (&[], &[(1, "a"), (2, "a"), (3, "a"), (3, "b"), (4, "b")], &["a", "a", "b", "b"]),
    ] {
        let begun = journal(whole).take_steps(OpenSteps::new());
        let steps = journal(own).take_steps(begun);
        let contents = steps.values().flatten().map(|line| line.content.as_str());
        assert_eq!(contents.collect::<Vec<_>>(), goes_on_behind, "{whole:?} {own:?}");
    }
}

#[test]
fn a_journal_opens_with_what_is_sound_in_it() {
    let whole = text(&lines()[..5]);
    let second = whole.iter().position(|byte| *byte == b'\n').expect("a line") + 1;
    for (content, attempts, cut_off, problems) in [
        (Vec::new(), 0, false, Vec::new()),
        (whole[..whole.len() - 1].to_vec(), 2, false, Vec::new()),
        (whole[..whole.len() - 9].to_vec(), 1, true, Vec::new()),
        (
            [&whole[..second], b"\nrubbish\n", &whole[second..]].concat(),
            2,
            false,
            vec![
                "line 3 of journal.jsonl is damaged: expected value at line 1 column 1; its content counts as not done",
            ],
        ),
        (
            [&whole[..second], b"{\"type\":\"end\",\"outcome\":\"completed\",\"reason\":null}\n"].concat(),
            0,
            false,
            vec!["line 2 of journal.jsonl is damaged: it has no checksum; its content counts as not done"],
        ),
        (
            whole.replacen("하나", "하낮"),
            1,
            false,
            vec![
                "line 2 of journal.jsonl is damaged: its checksum is wrong; its content counts as not done",
                "line 3 of journal.jsonl is damaged: its checksum is wrong; its content counts as not done",
            ],
        ),
    ] {
        let journal: Journal = Journal::read(&content);
        let damaged = journal.problems(None);
        assert_eq!((journal.attempts.len(), journal.cut_off), (attempts, cut_off), "{damaged:?}");
        assert_eq!(damaged, problems);
    }
}

trait Replace {
    fn replacen(&self, from: &str, to: &str) -> Vec<u8>;
}

impl Replace for Vec<u8> {
    fn replacen(&self, from: &str, to: &str) -> Vec<u8> {
        String::from_utf8_lossy(self).replace(from, to).into_bytes()
    }
}

#[test]
fn journals_of_earlier_versions_have_no_checksums_and_can_be_gone_on_with() {
    let old = |line: &JournalLine| {
        let text = serde_json::to_string(line).expect("JSON");
        text.replace("\"format\":3", "\"format\":1") + "\n"
    };
    let all = lines();
    let before: String = all[..6].iter().map(old).collect();
    let after = text(&all[6..]);
    let mixed = Journal::read(&[before.as_bytes(), &after].concat());
    assert_eq!(
        (mixed.damaged.as_slice(), contents(&mixed)),
        (&[][..], contents(&Journal::read(&text(&all))))
    );
    let back: String = all[6..].iter().map(old).collect();
    let back: Journal = Journal::read(&[&text(&all[..6]), back.as_bytes()].concat());
    assert_eq!(back.damaged, [], "an earlier version went on with it");
    let without_field = before.replace("\"success\":true,", "");
    let journal: Journal = Journal::read(without_field.as_bytes());
    assert_eq!(journal.damaged.len(), 1, "a line without a field costs its attempt and no more");
    assert_eq!(journal.attempts.len(), 1);
}

#[test]
fn a_newer_form_is_refused() {
    let mut manifest = json!(manifest(&Journal::default()));
    manifest["format"] = json!(5);
    let error = serde_json::from_value::<RunManifest>(manifest).expect_err("newer");
    assert_eq!(error.to_string(), "it has format 5 of a newer version of this program; update this program");
}

fn change(done: u32, change: RunChange, under_way: &[&str]) -> JournalLine {
    let under_way = under_way.iter();
    let under_way =
        under_way.map(|task| RetriedAttempt { task: (*task).to_owned(), repetition: Some(1) }).collect();
    JournalLine::Change { at_ms: 5, done, change, under_way }
}

fn steps(to: u32, from: u32) -> RunChange {
    RunChange::MaxSteps { to, from: Some(from) }
}

fn retry(task: &str) -> RunChange {
    RunChange::Retry { attempts: vec![RetriedAttempt { task: task.to_owned(), repetition: Some(1) }] }
}

#[test]
fn a_change_counts_from_its_line_on_and_an_attempt_keeps_the_limits_it_began_with() {
    let [done, failed, broken_off] = [
        attempt("L1-001", 1, StopReason::Answered, "하나"),
        attempt("L1-002", 1, StopReason::ModelFailed, ""),
        attempt("L1-003", 1, StopReason::Answered, "반쯤"),
    ];
    let mut lines =
        vec![start(1), step_of(&broken_off), change(0, steps(20, 10), &["L1-001", "L1-003", "L1-004"])];
    for record in [done, failed] {
        lines.extend([step_of(&record), JournalLine::Attempt { record }]);
    }
    lines.extend([change(2, steps(5, 20), &["L1-003"]), change(2, retry("L1-002"), &[])]);
    let mut journal: Journal = Journal::read(&text(&lines));
    assert_eq!(journal.spec().map(|spec| spec.settings.max_steps), Some(5));
    assert_eq!(journal.starts[0].spec.settings.max_steps, 10, "a start keeps what it was started with");
    assert_eq!(journal.attempts.len(), 1, "what is asked again counts no more");
    assert_eq!(journal.spent().total_tokens, 3 * 7, "and was paid for");
    assert_eq!(journal.changes.len(), 3);
    let first = AttemptLimits { max_steps: 10, timeout_s: 60.0 };
    let limits = |journal: &mut Journal| {
        let mut limits: Vec<_> = journal.take_limits().into_iter().collect();
        limits.sort_by(|one, other| one.0.cmp(&other.0));
        limits
    };
    let of = |task: &str| ((task.to_owned(), 1), first);
    assert_eq!(limits(&mut journal), [of("L1-003"), of("L1-004")], "an attempt that ended needs none");
    lines.push(start(9));
    let mut resumed: Journal = Journal::read(&text(&lines));
    assert_eq!(limits(&mut resumed), [of("L1-003")], "an attempt without a step begins anew");
    assert_eq!(resumed.spec().map(|spec| spec.settings.max_steps), Some(10), "the start says it itself");
    lines.push(step_of(&broken_off));
    let mut anew: Journal = Journal::read(&text(&lines));
    assert_eq!(limits(&mut anew), [], "its first step again");
}

#[test]
fn changes_alter_neither_the_plan_nor_the_form_of_a_run_without_any() {
    let begun = manifest(&Journal::default());
    assert!(json!(begun)["changes"].is_null() && json!(begun)["format"] == 3, "earlier versions read it");
    let mut changed = begun.clone();
    let records = [steps(20, 10), RunChange::Timeout { to: 5.0, from: Some(60.0) }, steps(7, 20)]
        .map(|change| ChangeRecord { at_ms: 5, done: 1, change });
    records.iter().for_each(|record| record.change.apply(&mut changed.spec));
    let changed = changed.changed(records.into());
    assert_eq!((changed.spec.settings.max_steps, changed.spec.settings.timeout_s), (7, 5.0));
    assert_eq!(changed.plan_hash(), begun.plan_hash(), "its shards stay its own");
    let read: RunManifest = serde_json::from_str(&json!(changed).to_string()).expect("read");
    assert_eq!(read, changed);
    assert_eq!(json!(changed)["format"], 4);
}

#[test]
fn a_change_says_what_was_before() {
    let said = |change: RunChange| change.to_sentence().to_string();
    assert_eq!(said(steps(20, 10)), "model turns of an attempt: 10 → 20");
    assert_eq!(said(RunChange::MaxCost { to: Some(2.5), from: None }), "budget in USD: none → 2.5");
    assert_eq!(
        said(RunChange::BaseUrl { to: "http://h/v1".to_owned(), from: None }),
        "address of the model's server: the provider's own → http://h/v1"
    );
    let tasks: Vec<String> = (1..8).map(|number| format!("L1-00{number}")).collect();
    assert_eq!(
        said(RunChange::LeaveOut { tasks }),
        "tasks left out: L1-001, L1-002, L1-003, L1-004, L1-005, … +2"
    );
    assert_eq!(said(retry("L1-002")), "failed attempts made again: 1 (L1-002)");
    let asked = json!({"what": "concurrency", "to": 4});
    let asked: RunChange = serde_json::from_value(asked).expect("a request says no earlier value");
    let spec = RunSpec::published("r", "pack@1", "a/b");
    assert_eq!(asked.with_earlier(&spec), RunChange::Concurrency { to: 4, from: Some(8) });
}

#[test]
fn an_attempt_that_is_removed_leaves_the_totals_as_they_were() {
    let summary = |record: AttemptRecord| AttemptSummary::from_record(record.into(), LinePlace::default());
    let kept = summary(attempt("L1-001", 1, StopReason::Answered, "하나"));
    let mut gone = attempt("L1-002", 1, StopReason::TimedOut, "");
    gone.steps[0].finish = Some("eos".to_owned());
    let gone = summary(gone);
    let mut tally = AttemptTally::count_all([&kept, &gone]);
    tally.remove(&gone);
    assert_eq!(tally, AttemptTally::count_all([&kept]));
}

/// 10,000 bits turned over and 1,000 ends cut off: nothing is taken for what it is not, and every run can go on.
#[test]
fn no_flipped_bit_and_no_cut_changes_a_run_silently() {
    let content = text(&lines());
    let whole = Journal::read(&content);
    let (manifest, wanted) = (manifest(&whole), contents(&whole));
    let mut random = SplitMix(20_261_122);
    let mut seen = 0;
    for round in 0..11_000 {
        let mut damaged = content.clone();
        if round < 10_000 {
            let at = random.below(content.len());
            damaged[at] ^= 1 << random.below(8);
        } else {
            damaged.truncate(random.below(content.len()));
        }
        let journal = Journal::read(&damaged);
        let problems = journal.problems(Some(&manifest));
        assert!(
            !problems.is_empty() || contents(&journal) == wanted,
            "round {round} changed the run and nobody says so"
        );
        seen += usize::from(!problems.is_empty());
        for attempt in journal.finished() {
            assert!(lines().contains(&JournalLine::Attempt { record: attempt }), "round {round}");
        }
    }
    assert!(seen > 10_900, "nearly every one is said: {seen}");
}

fn words() -> impl Strategy<Value = String> {
    "[\\PC\n\r\t\"\\\\]{0,12}"
}

fn line() -> impl Strategy<Value = JournalLine> {
    let stop =
        prop_oneof![Just(StopReason::Answered), Just(StopReason::TimedOut), Just(StopReason::StepLimit)];
    let record =
        (words(), 1..9u32, stop, words(), any::<f64>()).prop_map(|(task, repetition, stop, text, took)| {
            AttemptRecord {
                took_s: if took.is_finite() { took } else { 0.25 },
                calls: vec![CallRecord {
                    step: 1,
                    tool: text.clone(),
                    arguments: json!({"가": [took.is_nan(), text, null]}),
                    unreadable_arguments: None,
                    success: true,
                    error: None,
                    owner: None,
                    source: AnswerSource::Hit,
                    result: Some(json!({"text": "\u{2028}", "n": u64::MAX})),
                }],
                ..attempt(&task, repetition, stop, &text)
            }
        });
    (record, words(), any::<Option<u32>>(), 0..7).prop_map(|(record, words, number, kind)| match kind {
        0 => start(number.unwrap_or_default().into()),
        1 => step_of(&record),
        2 => JournalLine::Wait {
            task: record.task,
            repetition: record.repetition,
            reason: words.into(),
            until_ms: number.map(u64::from),
            fault: None,
        },
        6 => change(9, RunChange::LeaveOut { tasks: vec![words] }, &[&record.task]),
        3 => JournalLine::Unfinished { task: record.task, repetition: record.repetition, stop: record.stop },
        4 => JournalLine::End { outcome: RunOutcome::BudgetSpent, reason: Some(words.into()) },
        _ => JournalLine::Attempt { record },
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// What is written is read back, floats bit for bit.
    #[test]
    fn a_line_is_read_as_it_was_written(line in line()) {
        let text = line.text().expect("JSON");
        prop_assert_eq!(text.matches('\n').count(), 1, "one line");
        let read = LineReader::default().read::<JournalLine>(text.as_bytes());
        prop_assert_eq!(read, Some(Ok(line)));
    }

    /// What is kept of an attempt says what its record does, in few bytes: whatever a server says of tokens, however the calls
    /// were answered.
    #[test]
    fn a_summary_is_small_and_says_what_the_record_does(
        tokens in (0..3_u64, any::<u64>(), any::<u64>(), any::<u64>()), is_missed in any::<bool>(), is_shortened in any::<bool>(),
        why in proptest::option::of(words()),
    ) {
        let mut record = attempt("L1-001", 2, StopReason::Answered, "하나");
        let (kind, prompt_tokens, completion_tokens, total_tokens) = tokens;
        let usage = match kind {
            0 => TokenUsage { prompt_tokens: prompt_tokens >> 40, completion_tokens: 7, total_tokens: (prompt_tokens >> 40) + 7 },
            1 => TokenUsage { prompt_tokens: 3, completion_tokens: 4, total_tokens: total_tokens >> 40 },
            _ => TokenUsage { prompt_tokens, completion_tokens, total_tokens },
        };
        record.steps[0].usage = Some(usage);
        record.steps[0].left_out = is_shortened.then_some(LeftOut { tool_results: 1, exchanges: 0, room: 9 });
        record.error = why.map(Sentence::from);
        let source = if is_missed { AnswerSource::Miss } else { AnswerSource::Hit };
        record.calls = vec![CallRecord {
            step: 1,
            tool: "A".to_owned(),
            arguments: json!({}),
            unreadable_arguments: None,
            success: true,
            error: None,
            owner: None,
            source,
            result: None,
        }];
        let place = LinePlace { offset: total_tokens, length: 9 };
        let summary = AttemptSummary::from_record(record.clone().into(), place);
        prop_assert!(size_of::<Option<AttemptSummary>>() <= 96);
        prop_assert_eq!(summary.usage(), record.usage());
        prop_assert_eq!(summary.error(), record.error.as_ref());
        prop_assert_eq!(summary.place(), place);
        prop_assert_eq!(summary.is_shortened(), is_shortened);
        prop_assert_eq!(AttemptTally::count_all([&summary]).shortened, usize::from(is_shortened));
        prop_assert_eq!(summary.missed(), if is_missed { &["A".to_owned()][..] } else { &[] });
        let mut answers = CacheUse::default();
        answers.count(source);
        prop_assert_eq!(summary.answers(), answers);
        let saved = serde_json::to_vec(&summary).expect("JSON");
        let read: AttemptSummary = serde_json::from_slice(&saved).expect("read");
        prop_assert_eq!(read, summary);
    }

    /// A manifest, whatever else stands in it.
    #[test]
    fn a_manifest_is_read_as_it_was_written(
        reason in proptest::option::of(words()), usd in any::<Option<u32>>(), temperature in 0.0..2.0f64, cap in any::<Option<u64>>(),
        local in any::<bool>(), unknown in words(),
    ) {
        let mut written = manifest(&Journal::read(&text(&lines())));
        written.reason = reason.map(Sentence::from);
        written.spec.settings.temperature = temperature;
        written.spec.max_total_tokens = cap;
        written.spec.local = local.then(|| json!({"precision": "Q4_K_M"}));
        written.spec.cache_mode = local.then_some(CacheMode::Write);
        written.spending = usd.map(|usd| Spending { usd: Some(f64::from(usd) / 7.0), ..Spending::default() });
        let mut parts = vec![&mut written.other, &mut written.attempts.other, &mut written.cache.other];
        parts.extend(written.spending.as_mut().map(|spending| &mut spending.other));
        for part in parts {
            part.insert("of a later version".to_owned(), json!(unknown));
        }
        let read: RunManifest = serde_json::from_str(&json!(written).to_string()).expect("read");
        prop_assert_eq!(read, written);
    }
}

#[test]
fn a_runs_settings_are_written_among_its_other_fields_in_one_order() {
    let mut spec = RunSpec::published("r", "p@1", "m/one");
    spec.settings.effort = Some("low".to_owned());
    spec.settings.seed = Some(u64::MAX);
    spec.other.insert("later".to_owned(), json!(1));
    let text = r#"{"run":"r","pack":"p@1","model":"m/one","protocol":"leaderboard","repetitions":1,"max_steps":10,"timeout_s":60.0,"full_rollout":false,"temperature":0.7,"max_tokens":1024,"effort":"low","seed":18446744073709551615,"concurrency":8,"base_url":null,"max_cost":null,"max_total_tokens":null,"later":1}"#;
    assert_eq!(serde_json::to_string(&spec).expect("written"), text);
    assert_eq!(serde_json::from_str::<RunSpec>(text).expect("read"), spec);
    let without = text.replace("\"max_steps\":10,", "");
    let error = serde_json::from_str::<RunSpec>(&without).expect_err("nobody says how many");
    assert!(error.to_string().contains("max_steps"), "{error}");
}
