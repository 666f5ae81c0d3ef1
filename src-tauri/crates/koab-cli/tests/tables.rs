//! Tables of every command that prints one, at the widths of usual terminals.
#![allow(clippy::unwrap_used, reason = "these are tests")]

mod commands;
mod rich;
use crate::support::Koab;
use rich::Rich;
use unicode_width::UnicodeWidthStr as _;

/// Lines that are wider than the terminal, of every command at every width in both languages.
fn wrapped(rich: &Rich) -> Vec<String> {
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
                let wide = text.lines().filter(|line| line.width() > columns && line.trim().contains(' '));
                wrapped.extend(wide.map(|line| format!("{columns} {lang} {}: {line}", words.join(" "))));
            }
        }
    }
    wrapped
}

#[test]
fn no_line_beside_a_table_or_in_it_is_wider_than_the_terminal() {
    let wrapped = wrapped(&Rich::new());
    assert!(wrapped.is_empty(), "{}", wrapped.join("\n"));
}

#[test]
fn no_line_of_other_benchmarks_clusters_agents_and_sweeps_is_wider_than_the_terminal() {
    let wrapped = wrapped(&Rich::others());
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
    let report = koab.json(&["report", "list"])[0]["id"].as_str().unwrap().to_owned();
    let mut shown = String::new();
    for columns in ["80", "100", "120"] {
        for words in [&["runs", "list"][..], &["report", "list"], &["models", "list", "--lang", "ko"]] {
            let ran = crate::support::ran(koab.command(words).env("COLUMNS", columns).output().unwrap());
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
    baseline_golden/20261122_101500  L1:4 L2:4 L3:4  —     complete  baseline · as
                                     L4:4 L5:4 L6:4                  it was before
                                     L7:4                            the prompts
                                                                     were changed
                                                                     for the second
                                                                     time
    (left out at this width: pack, protocol; --wide shows all)

    80: koab report list
    report                           scorer       composite  with leaderboard
    baseline_golden_20261122-101500  leaderboard  —          not comparable
    (left out at this width: model; --wide shows all)

    composite: the metrics that published reports contain (ProvAcc and ReuseRate
      left out)

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
    baseline_golden/20261122_101500  starter@1.0.0  L1:4 L2:4 L3:4     —     complete  baseline · as it
                                                    L4:4 L5:4 L6:4                     was before the
                                                    L7:4                               prompts were
                                                                                       changed for the
                                                                                       second time
    (left out at this width: protocol; --wide shows all)

    100: koab report list
    report                           model            scorer       composite  with leaderboard
    baseline_golden_20261122-101500  baseline/golden  leaderboard  —          not comparable

    composite: the metrics that published reports contain (ProvAcc and ReuseRate left out)

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
    baseline_golden/20261122_101500  starter@1.0.0  leaderboard  L1:4 L2:4 L3:4 L4:4   —     complete  baseline · as it was
                                                                 L5:4 L6:4 L7:4                        before the prompts
                                                                                                       were changed for the
                                                                                                       second time

    120: koab report list
    report                           model            scorer       composite  with leaderboard
    baseline_golden_20261122-101500  baseline/golden  leaderboard  —          not comparable

    composite: the metrics that published reports contain (ProvAcc and ReuseRate left out)

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
        let ran = crate::support::ran(koab.command(&words).env("COLUMNS", columns).output().unwrap());
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
    assert_eq!(list("60", &["--json"]), koab.ok(&["runs", "list", "--json"]).stdout);
}
