//! Tables of every command that prints one, at the widths of usual terminals.
#![allow(clippy::unwrap_used, reason = "these are tests")]

mod support;

use serde_json::json;
use std::fs;
use support::Koab;
use support::http::Local;
use unicode_width::UnicodeWidthStr as _;

/// A workspace in which every table has rows, and the words of the commands that print them.
struct Rich {
    koab: Koab,
    commands: Vec<Vec<String>>,
}

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

/// Judges of which one says yes and the other no.
fn judges() -> String {
    let server = Local::start(|request| {
        let is_yes = request.body["model"] != "another-judge-with-a-long-name";
        let said = json!({ "reason": "as it says", "success": is_yes, "score": if is_yes { 5 } else { 2 }, "confidence": 1 });
        (
            200,
            json!({
                "choices": [{ "message": { "role": "assistant", "content": said.to_string() }, "finish_reason": "stop" }],
                "usage": { "prompt_tokens": 400, "completion_tokens": 50, "total_tokens": 450 },
            }),
        )
    });
    format!("{}/v1", server.address)
}

impl Rich {
    fn new() -> Self {
        let koab = Koab::new();
        let asked = judges();
        let panel = [
            "--judge-models",
            "openai_compat/a-judge-with-a-long-name",
            "openai_compat/another-judge-with-a-long-name",
            "--judge-base-url",
            &asked,
        ];
        koab.ok(&[
            "run",
            "--model",
            "baseline/golden",
            "--repetitions",
            "2",
            "--quiet",
        ]);
        koab.ok(&[&["evaluate", "last", "--quiet"][..], &panel].concat());
        koab.ok(&[
            "run",
            "--model",
            "baseline/random",
            "--levels",
            "L1,L3,L5",
            "--quiet",
        ]);
        koab.ok(&["evaluate", "last", "--no-judge"]);
        let list = |words: &[&str]| -> Vec<String> {
            let all = koab.json(words);
            let ids = all.as_array().unwrap().iter();
            ids.map(|one| one["id"].as_str().unwrap().to_owned()).collect()
        };
        let (runs, reports) = (list(&["runs", "list"]), list(&["report", "list"]));
        let (random, golden) = (&runs[0], &runs[1]);
        let of = |model: &str| reports.iter().find(|id| id.contains(model)).unwrap().clone();
        let (golden_report, random_report) = (of("golden"), of("random"));
        koab.ok(&[
            "runs", "tag", random, "baseline", "a tag of several words", "--note",
            "a note as long as notes are, which tells at length why this run was made and what it is compared with",
        ]);
        koab.ok(&[
            "runs",
            "fork",
            golden,
            "L3-001",
            "--step",
            "1",
            "--name",
            "what if the first answer were another",
        ]);
        koab.ok(&[
            "cache",
            "snapshot",
            "create",
            "before-the-fix",
            "--note",
            "as it was before the services were asked again",
        ]);
        koab.ok(&[
            "judge", "override", golden, "L1-001", "SR", "--success", "no", "--by", "Mina", "--why",
            "the answer names the right station and the wrong line, and so helps nobody who asks for a connection",
        ]);
        let queue = koab.path().join("queue.json");
        let file = queue.to_str().unwrap();
        koab.ok(&["judge", "queue", golden, "-k", "6", "--by", "Mina", "-o", file]);
        let mut sheet = support::read_json(&queue);
        for question in sheet["questions"].as_array_mut().unwrap() {
            let answer = if question["scale"] == "yes/no" { "yes" } else { "5" };
            question["your_answer"] = json!(answer);
        }
        fs::write(&queue, sheet.to_string()).unwrap();
        koab.ok(&["judge", "answers", file]);
        let kept = sheet["queue"].as_str().unwrap().to_owned();
        let results = koab.path().join("results/mini");
        for (trial, said) in [
            ("t_1/0", "ALL TESTS PASSED !#!#"),
            ("t_1/1", "SOME TESTS FAILED"),
            ("t_2/0", ""),
        ] {
            let folder = results.join(trial);
            fs::create_dir_all(&folder).unwrap();
            let log =
                format!("RUN.SH STARTING !#!#\n{said}\nSCENARIO.PY RUNTIME: 2 !#!#\nRUN.SH COMPLETE !#!#\n");
            fs::write(folder.join("console_log.txt"), log).unwrap();
        }
        let scenario = koab.path().join("mini.jsonl");
        fs::write(&scenario, "{\"id\": \"t_1\", \"template\": \"nowhere\"}\n").unwrap();
        let asks = koab.path().join("reports").join(&golden_report);
        let lines = format!(
            "run --model baseline/golden --dry-run\n\
             run --model openai_compat/x --base-url {asked} --dry-run --evaluate --judge-models openai_compat/a-judge-with-a-long-name --judge-base-url {asked}\n\
             runs list\nruns show {golden}\nruns show {random}\nruns forks\n\
             report list\nreport show {golden_report}\nreport show {random_report}\nreport repetitions {golden_report}\n\
             report compare {golden_report} {random_report}\nreport matrix\nreport references\n\
             report atlas {random_report}\nreport atlas {golden_report} {random_report} --by model\nreport atlas {random_report} --level L1\n\
             report atlas --causes\nreport import {}\n\
             evaluate {golden} --no-judge --dry-run\nevaluate {random} --no-judge\n\
             judge panel\njudge overrides\njudge show {golden} L1-001\njudge lab {golden}\njudge queues\njudge reveal {kept}\n\
             judge again {golden} --dry-run --judge-models openai_compat/a-third-judge --judge-base-url {asked}\n\
             submit prepare {golden}\n\
             pack list\npack show\npack published\npack drafts\npack lint\n\
             cache stats\ncache overlay\ncache snapshot list\ncache snapshot show before-the-fix\ncache snapshot diff pack before-the-fix\n\
             cache drift {random}\ncache misses {random}\ncache fill {random} --dry-run\n\
             models list\nmodels prices\nmodels servers\nkeys list\nscenario tabulate {}\nscenario clone --list\n\
             egress list\ndoctor",
            asks.display(),
            results.display(),
        );
        let commands = lines.lines().map(|line| words(line.trim())).collect();
        Self { koab, commands }
    }

    fn shown(&self, words: &[String], columns: &str, lang: &str) -> String {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let words = [&words[..], &["--lang", lang]].concat();
        let mut command = self.koab.command(&words);
        support::ran(command.env("COLUMNS", columns).output().unwrap()).stdout
    }
}

#[test]
fn no_line_beside_a_table_or_in_it_is_wider_than_the_terminal() {
    let rich = Rich::new();
    let mut wrapped = Vec::new();
    for words in &rich.commands {
        for lang in ["en", "ko"] {
            for columns in [80, 100, 120] {
                // A row that does not fit ends this build of the command, which then says nothing.
                let text = rich.shown(words, &columns.to_string(), lang);
                if text.trim().is_empty() {
                    wrapped.push(format!("{columns} {lang} {} says nothing", words.join(" ")));
                }
                // A path or a call in JSON is one word, which is not broken, so that it can be copied.
                let wide = text
                    .lines()
                    .filter(|line| line.width() > columns && line.trim().contains(' '));
                wrapped.extend(wide.map(|line| format!("{columns} {lang} {}: {line}", words.join(" "))));
            }
        }
    }
    assert!(wrapped.is_empty(), "{}", wrapped.join("\n"));
}

#[test]
fn the_lists_of_runs_reports_and_models_at_each_width() {
    let koab = Koab::new();
    koab.ok(&["run", "--model", "baseline/golden", "--quiet"]);
    koab.ok(&["evaluate", "last", "--no-judge"]);
    koab.ok(&[
        "runs",
        "tag",
        "last",
        "baseline",
        "--note",
        "as it was before the prompts were changed for the second time",
    ]);
    let id = koab.json(&["runs", "list"])[0]["id"].as_str().unwrap().to_owned();
    let report = koab.json(&["report", "list"])[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let mut shown = String::new();
    for columns in ["80", "100", "120"] {
        for words in [
            &["runs", "list"][..],
            &["report", "list"],
            &["models", "list", "--lang", "ko"],
        ] {
            let ran = support::ran(koab.command(words).env("COLUMNS", columns).output().unwrap());
            // Dates are as wide as these.
            let text = ran.stdout.replace(&id, "baseline_golden/20261122_101500");
            let text = text.replace(&report, "baseline_golden_20261122-101500");
            let lines = text.lines().take(9).collect::<Vec<_>>().join("\n");
            shown += &format!("{columns}: koab {}\n{lines}\n\n", words.join(" "));
        }
    }
    insta::assert_snapshot!(shown, @"
    80: koab runs list
    run                              levels:tasks    cost  state     tags and note
    baseline_golden/20261122_101500  L1:4 L2:4 L3:4  -     complete  baseline · as
                                     L4:4 L5:4 L6:4                  it was before
                                     L7:4                            the prompts
                                                                     were changed
                                                                     for the second
                                                                     time
    (left out at this width: pack, protocol; --wide shows all)

    80: koab report list
    report                           scorer       flat_report  with leaderboard
    baseline_golden_20261122-101500  leaderboard  —            not comparable
    (left out at this width: model; --wide shows all)

    composite flat_report: reading over the published metrics: without ProvAcc and
      ReuseRate, which published reports do not have

    80: koab models list --lang ko
    모델                   주소                    필요한 키와 설정
    baseline/golden
    baseline/silent
    baseline/random
    openai_compat/<model>  --base-url
    vllm/<model>           http://localhost:8000/
                           v1
    ollama/<model>         http://localhost:11434
                           /v1

    100: koab runs list
    run                              pack           levels:tasks       cost  state     tags and note
    baseline_golden/20261122_101500  starter@1.0.0  L1:4 L2:4 L3:4     -     complete  baseline · as it
                                                    L4:4 L5:4 L6:4                     was before the
                                                    L7:4                               prompts were
                                                                                       changed for the
                                                                                       second time
    (left out at this width: protocol; --wide shows all)

    100: koab report list
    report                           model            scorer       flat_report  with leaderboard
    baseline_golden_20261122-101500  baseline/golden  leaderboard  —            not comparable

    composite flat_report: reading over the published metrics: without ProvAcc and ReuseRate, which
      published reports do not have

    100: koab models list --lang ko
    모델                   종류        주소                        필요한 키와 설정
    baseline/golden        베이스라인
    baseline/silent        베이스라인
    baseline/random        베이스라인
    openai_compat/<model>  서버        --base-url
    vllm/<model>           서버        http://localhost:8000/v1
    ollama/<model>         서버        http://localhost:11434/v1
    lmstudio/<model>       서버        http://localhost:1234/v1
    llamacpp/<model>       서버        http://127.0.0.1:8080/v1

    120: koab runs list
    run                              pack           protocol     levels:tasks          cost  state     tags and note
    baseline_golden/20261122_101500  starter@1.0.0  leaderboard  L1:4 L2:4 L3:4 L4:4   -     complete  baseline · as it was
                                                                 L5:4 L6:4 L7:4                        before the prompts
                                                                                                       were changed for the
                                                                                                       second time

    120: koab report list
    report                           model            scorer       flat_report  with leaderboard
    baseline_golden_20261122-101500  baseline/golden  leaderboard  —            not comparable

    composite flat_report: reading over the published metrics: without ProvAcc and ReuseRate, which published reports do not
      have

    120: koab models list --lang ko
    모델                   종류        주소                                  필요한 키와 설정
    baseline/golden        베이스라인
    baseline/silent        베이스라인
    baseline/random        베이스라인
    openai_compat/<model>  서버        --base-url
    vllm/<model>           서버        http://localhost:8000/v1
    ollama/<model>         서버        http://localhost:11434/v1
    lmstudio/<model>       서버        http://localhost:1234/v1
    llamacpp/<model>       서버        http://127.0.0.1:8080/v1
    ");
}

#[test]
fn a_pipe_gets_every_column_unless_columns_says_otherwise() {
    let koab = Koab::new();
    koab.ok(&["run", "--model", "baseline/golden", "--levels", "L1", "--quiet"]);
    koab.ok(&["runs", "tag", "last", &"word ".repeat(60)]);
    let list = |columns: &str, more: &[&str]| {
        let words = [&["runs", "list"][..], more].concat();
        let ran = support::ran(koab.command(&words).env("COLUMNS", columns).output().unwrap());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stdout
    };
    let whole = koab.ok(&["runs", "list"]).stdout;
    assert_eq!(whole.lines().count(), 2, "{whole}");
    assert!(list("60", &[]).lines().count() > 2);
    for columns in ["", "0", "wide"] {
        assert_eq!(list(columns, &[]), whole, "COLUMNS={columns:?}");
    }
    assert_eq!(list("60", &["--wide"]), whole);
    assert_eq!(
        list("60", &["--json"]),
        koab.ok(&["runs", "list", "--json"]).stdout
    );
}
