//! The starter pack through the command line: what a new user does first, without key, network or display.

use crate::support::{Koab, read_json};

#[test]
fn a_first_run_of_the_golden_baseline_scores_as_the_golden_path_must() {
    let koab = Koab::new();
    let ran = koab.ok(&["run", "--model", "baseline/golden", "--evaluate", "--seed", "1"]);
    let lines = ran.stdout.lines().count();
    assert!(lines <= 26, "{lines} lines do not fit one screen:\n{}", ran.stdout);
    let headline = ran
        .stdout
        .lines()
        .skip_while(|line| !line.starts_with("level"))
        .take_while(|line| !line.starts_with("next"));
    insta::assert_snapshot!(headline.map(str::trim_end).collect::<Vec<_>>().join("\n").trim_end(), @"
    level      tasks  SR  95 % interval  EPR_CVR  pass@k (answered)  RRR
    L1         4      —   —              1.0000   1.0000             1.0000
    L2         4      —   —              1.0000   1.0000             1.0000
    L3         4      —   —              1.0000   1.0000             1.0000
    L4         4      —   —              1.0000   1.0000             1.0000
    L5         4      —   —              0.5000   1.0000             1.0000
    L6         4      —   —              0.0000   1.0000             1.0000
    L7         4      —   —              0.0000   1.0000             1.0000
    all tasks  28     —   —              0.6429   1.0000             1.0000

    composite: —  (L1 ArgAcc: no judge was asked)
    why unscored: no judge was asked (4): L1 SR, L1 ArgAcc, L2 SR and 8 more
    with the leaderboard: not comparable
      [not comparable] the tasks of pack starter@1.0.0 are not the published ones
          → import the published repository with `koab pack import` and run with that pack
      and 4 more
    caveats: no token counts were reported for 61 model calls; token figures leave them out
    ");
    let id = koab.json(&["report", "list"])[0]["id"].as_str().expect("an id").to_owned();
    let next = format!("koab report show {id}");
    assert!(ran.stdout.contains(&next), "{}", ran.stdout);
    let shown = koab.ok(&["report", "show", &id]);
    let table =
        shown.stdout.lines().skip_while(|l| !l.starts_with("level")).take_while(|l| !l.starts_with("report"));
    insta::assert_snapshot!(table.map(str::trim_end).collect::<Vec<_>>().join("\n").trim_end(), @"
    level  metric                mean    95 % interval   scored  unscored
    L1     SR                    —       —               0       4
    L1     EPR_CVR               1.0000  —               4
    L1     pass@k (answered)     1.0000  [0.510, 1.000]  4
    L1     ToolAcc               1.0000  [0.510, 1.000]  4
    L1     ArgAcc                —       —               0       4
    L1     CallEM                1.0000  [0.510, 1.000]  4
    L1     RespOK                1.0000  [0.510, 1.000]  4
    L1     RRR                   1.0000  [0.510, 1.000]  4
    L2     SR                    —       —               0       4
    L2     EPR_CVR               1.0000  —               4
    L2     pass@k (answered)     1.0000  [0.510, 1.000]  4
    L2     SelectAcc             1.0000  [0.510, 1.000]  4
    L2     RRR                   1.0000  [0.510, 1.000]  4
    L3     SR                    —       —               0       4
    L3     EPR_CVR               1.0000  —               4
    L3     pass@k (answered)     1.0000  [0.510, 1.000]  4
    L3     FSM                   1.0000  [0.510, 1.000]  4
    L3     PSM                   1.0000  —               4
    L3     ΔSteps_norm           1.0000  —               4
    L3     RRR                   1.0000  [0.510, 1.000]  4
    L4     SR                    —       —               0       4
    L4     EPR_CVR               1.0000  —               4
    L4     pass@k (answered)     1.0000  [0.510, 1.000]  4
    L4     Coverage              0.7500  [0.500, 1.000]  4
    L4     SourceEPR             0.7500  [0.500, 1.000]  4
    L4     RRR                   1.0000  [0.510, 1.000]  4
    L5     SR                    —       —               0       4
    L5     EPR_CVR               0.5000  —               4
    L5     pass@k (answered)     1.0000  [0.510, 1.000]  4
    L5     AdaptiveRoutingScore  0.5000  —               4
    L5     FallbackSR            1.0000  —               4
    L5     RRR                   1.0000  [0.510, 1.000]  4
    L6     SR                    —       —               0       4
    L6     EPR_CVR               0.0000  —               4
    L6     pass@k (answered)     1.0000  [0.510, 1.000]  4
    L6     RedundantCallRate     1.0000  —               4
    L6     EffScore              —       —               0       4
    L6     RRR                   1.0000  [0.510, 1.000]  4
    L7     SR                    —       —               0       4
    L7     EPR_CVR               0.0000  —               4
    L7     pass@k (answered)     1.0000  [0.510, 1.000]  4
    L7     ContextRetention      —       —               0       4
    L7     RefRecall             —       —               0       4
    L7     RRR                   1.0000  [0.510, 1.000]  4
    no interval (L1 EPR_CVR, L2 EPR_CVR, L3 EPR_CVR, L3 PSM, L3 ΔSteps_norm, L4 EPR_CVR, L5 EPR_CVR, L5 AdaptiveRoutingScore, L5 FallbackSR, L6 EPR_CVR, L6 RedundantCallRate, L7 EPR_CVR): every task has the same score, so resampling the tasks shows no spread

    all tasks          mean    95 % interval   tasks  why no value
    SR                 —       —               —      L1: no judge was asked
    EPR_CVR            0.6429  —               28
    pass@k (answered)  1.0000  [0.879, 1.000]  28
    RRR                1.0000  [0.879, 1.000]  28

    composite: —  (L1 ArgAcc: no judge was asked)  [with the leaderboard: not comparable]
      the metrics that published reports contain (ProvAcc and ReuseRate left out)

    why unscored:
      L1 ArgAcc: no judge was asked (4)
      L1 SR: no judge was asked (4)
      L2 SR: no judge was asked (4)
      L3 SR: no judge was asked (4)
      L4 SR: no judge was asked (4)
      L5 SR: no judge was asked (4)
      L6 EffScore: no judge was asked (4)
      L6 SR: no judge was asked (4)
      L7 ContextRetention: no judge was asked (4)
      L7 RefRecall: no judge was asked (4)
      L7 SR: no judge was asked (4)

    comparison with the published leaderboard: not comparable
      [not comparable] the tasks of pack starter@1.0.0 are not the published ones
          → import the published repository with `koab pack import` and run with that pack
      [not comparable] the name, description or schema of offered tools is not the published one: AddressToCoord_kakao, BlogSearch_naver, CarRoute_tmap, CategorySearch_kakao, CategorySearch_tmap, CoordToAddress_kakao, CryptoCandle_upbit, CryptoPrice_bithumb, CryptoPrice_upbit, Directions_naver, ItemList_aladin, ItemLookup_aladin, ItemSearch_aladin, MarketIndex_ls, MarketList_upbit, NewsSearch_naver, POISearch_tmap, PlaceSearch_kakao, StockChart_kis, StockPrice_kis, StockPrice_ls, StockTrades_ls, USStockPrice_kis, VideoSearch_daum, WalkRoute_tmap, WebSearch_daum, WebSearch_naver
          → import the published repository with `koab pack import` and run with that pack
      [not comparable] 63 of the 91 published tasks of these levels are left out
          → run and score all tasks of these levels
      [partly] the cached responses of pack starter@1.0.0 are not the published ones
          → import the published repository with `koab pack import` and run with that pack
      [partly] no judge was asked, so the judged metrics and the composite score have no value
          → score with `--judge-models azure/gpt-4.1-mini`, which needs no new run, or compare only metrics that need no judge

    how tool calls were answered:
    level  hit rate  hit  miss  injected  refused  service
    all    100.0 %   32   0     4         0        0
    L1     100.0 %   4    0     0         0        0
    L2     100.0 %   4    0     0         0        0
    L3     100.0 %   10   0     0         0        0
    L4     100.0 %   10   0     0         0        0
    L5     100.0 %   4    0     4         0        0
    L6     —         0    0     0         0        0
    L7     —         0    0     0         0        0

    caveats:
      no token counts were reported for 61 model calls; token figures leave them out
    ");
}

#[test]
fn the_baselines_bound_every_metric() {
    let koab = Koab::new();
    let means = |model: &str| {
        let document = koab.json(&["run", "--model", model, "--evaluate"]);
        let mut means = std::collections::BTreeMap::new();
        for level in document["reports"][0]["levels"].as_array().unwrap() {
            for metric in level["metrics"].as_array().unwrap() {
                if let Some(mean) = metric["mean"].as_f64() {
                    means.insert(format!("{} {}", level["level"], metric["metric"]), mean);
                }
            }
        }
        means
    };
    let (golden, silent, random) =
        (means("baseline/golden"), means("baseline/silent"), means("baseline/random"));
    assert!(golden.len() >= 30, "{golden:?}");
    for (metric, best) in &golden {
        assert!(
            silent[metric] <= *best && random[metric] <= *best,
            "{metric}: {best} {} {}",
            silent[metric],
            random[metric]
        );
    }
    assert_eq!((golden["\"L1\" \"ToolAcc\""], silent["\"L1\" \"ToolAcc\""]), (1.0, 0.0));
}

#[test]
fn a_seeded_random_run_can_be_made_again() {
    let koab = Koab::new();
    let calls = |seed: &str| {
        let run = koab.json(&["run", "--model", "baseline/random", "--levels", "L1,L2", "--seed", seed]);
        let folder = std::path::PathBuf::from(run["run"]["folder"].as_str().unwrap());
        let log = read_json(&folder.join("L2.json"));
        log["results"].as_array().unwrap().iter().map(|r| r["tool_calls"].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(calls("7"), calls("7"));
    assert_ne!(calls("7"), calls("8"));
}

#[test]
fn the_starter_pack_answers_its_golden_paths_and_fallbacks() {
    let koab = Koab::new();
    let plan = koab.json(&["run", "--model", "baseline/golden", "--dry-run"]);
    assert_eq!(plan["levels"].as_array().unwrap().len(), 7);
    for level in plan["levels"].as_array().unwrap() {
        assert!(level["tasks"].as_u64().unwrap() >= 4, "{level}");
        assert_eq!(level["golden_missing"].as_array().unwrap().len(), 0, "{level}");
    }
    let packs = koab.json(&["pack", "list"]);
    assert_eq!(
        (&packs[0]["tools"], &packs[0]["sample"], &packs[0]["active"]),
        (&33.into(), &true.into(), &true.into())
    );
    koab.ok(&["pack", "verify"]);
    let checkout = concat!(env!("CARGO_MANIFEST_DIR"), "/../../..");
    let imported = koab.json(&["pack", "import", checkout]);
    assert_eq!(imported["problems"].as_array().unwrap().len(), 0, "{}", imported["problems"]);
}

#[test]
fn korean_is_spoken_when_asked_for() {
    let koab = Koab::new();
    let ran = koab.ok(&["run", "--model", "baseline/silent", "--levels", "L1", "--evaluate", "--lang", "ko"]);
    assert!(
        ran.stdout.contains("완료: 4/4 시도") && ran.stdout.contains("채점하지 못한 이유"),
        "{}",
        ran.stdout
    );
}

#[test]
fn an_unfinished_run_goes_on_where_it_stopped() {
    let koab = Koab::new();
    let run = koab.json(&["run", "--model", "baseline/golden", "--concurrency", "1"]);
    let folder = std::path::PathBuf::from(run["run"]["folder"].as_str().unwrap());
    let whole: Vec<String> =
        (1..=7).map(|n| std::fs::read_to_string(folder.join(format!("L{n}.json"))).unwrap()).collect();
    // As a crash leaves it: half a journal whose last line is cut off, and no level log.
    let journal = std::fs::read_to_string(folder.join("journal.jsonl")).unwrap();
    std::fs::write(folder.join("journal.jsonl"), &journal[..journal.floor_char_boundary(journal.len() / 2)])
        .unwrap();
    for n in 1..=7 {
        std::fs::remove_file(folder.join(format!("L{n}.json"))).unwrap();
    }
    let resumed = koab.json(&["run", "--resume", folder.to_str().unwrap()]);
    assert_eq!((&resumed["run"]["done"], &resumed["run"]["outcome"]), (&28.into(), &"completed".into()));
    let essence = |text: &str| {
        let log: serde_json::Value = serde_json::from_str(text).unwrap();
        let results = log["results"].as_array().unwrap().clone();
        results
            .iter()
            .map(|r| format!("{} {} {}", r["task_id"], r["tool_calls"], r["final_response"]))
            .collect::<Vec<_>>()
    };
    for (n, before) in (1..=7).zip(&whole) {
        let after = std::fs::read_to_string(folder.join(format!("L{n}.json"))).unwrap();
        assert_eq!(essence(before), essence(&after), "L{n}");
    }
}
