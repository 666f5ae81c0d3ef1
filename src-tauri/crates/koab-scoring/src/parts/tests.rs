use super::{JudgingPlan, JudgingSetting, SETTING, remove};
use crate::tests::desk::{Desk, refused};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_library::options::{AggregateChoice, EvaluateOptions, Formats, JudgeChoice, RunChoice};
use koab_models::SpendingCaps;
use koab_store::verdict_shards::JUDGING;
use proptest::prelude::*;
use std::path::PathBuf;

fn plan(judges: Vec<String>, base_url: Option<String>) -> JudgingPlan {
    JudgingPlan { judges, base_url, asked: Vec::new(), ballots: Vec::new(), hash: "hash".to_owned() }
}

proptest! {
    #![proptest_config(koab_draws::config(64))]

    /// Workers score as whoever submitted them said, whatever that was.
    #[test]
    fn a_worker_is_told_the_scoring_that_was_asked_for(
        judges in proptest::collection::vec("[a-z]{1,5}/[a-z0-9-]{1,5}", 1..4),
        base_url in proptest::option::of("http://127\\.0\\.0\\.1:[0-9]{4}/v1"),
        votes in 1..9_u32,
        is_median in any::<bool>(),
        scorers in prop_oneof![
            Just(vec![Protocol::Leaderboard]),
            Just(vec![Protocol::Corrected, Protocol::Leaderboard])
        ],
        levels in proptest::sample::subsequence(Level::ALL.to_vec(), 0..7),
        sample in proptest::option::of(1..9_usize),
        flags in any::<[bool; 5]>(),
        caps in (proptest::option::of(0.01..9.0_f64), proptest::option::of(any::<u64>())),
        concurrency in proptest::option::of(1..99_u32),
    ) {
        let run = tempfile::tempdir().unwrap();
        let [json, csv, markdown, all_metrics, first_repetition] = flags;
        let options = EvaluateOptions {
            votes,
            aggregate: if is_median { AggregateChoice::Median } else { AggregateChoice::Mean },
            scorers,
            levels,
            sample,
            all_metrics,
            first_repetition,
            formats: Formats { json, csv, markdown },
            caps: SpendingCaps { max_cost: caps.0, max_total_tokens: caps.1, ..SpendingCaps::default() },
            concurrency,
            ..EvaluateOptions::published(RunChoice::Run("elsewhere".to_owned()))
        };
        let setting = JudgingSetting::new(&options, &plan(judges.clone(), base_url.clone()), PathBuf::from("/srv/reports"));
        let folder = run.path().join(JUDGING);
        std::fs::create_dir_all(&folder).unwrap();
        setting.write(&folder).unwrap();
        let read = JudgingSetting::read(run.path()).unwrap().unwrap();
        prop_assert_eq!((read.plan.as_str(), read.total, &read.reports), ("hash", 0, &PathBuf::from("/srv/reports")));
        let told = read.options(run.path());
        prop_assert_eq!(told.judges, JudgeChoice::Models { ids: judges, base_url });
        prop_assert_eq!((told.votes, told.aggregate), (options.votes, options.aggregate));
        prop_assert_eq!((told.scorers, told.levels, told.sample), (options.scorers, options.levels, options.sample));
        prop_assert_eq!([told.all_metrics, told.first_repetition], [all_metrics, first_repetition]);
        prop_assert_eq!([told.formats.json, told.formats.csv, told.formats.markdown], [json, csv, markdown]);
        prop_assert_eq!((told.caps.max_cost, told.caps.max_total_tokens), caps);
        prop_assert_eq!(told.concurrency, concurrency);
        let RunChoice::Run(named) = told.run else { panic!("a run") };
        prop_assert_eq!(named, run.path().display().to_string());
        prop_assert!(told.asks && !told.without_engine);
    }
}

#[test]
fn a_run_without_workers_has_no_setting_and_a_broken_one_is_told() {
    let run = tempfile::tempdir().unwrap();
    assert!(JudgingSetting::read(run.path()).unwrap().is_none());
    let desk = Desk::new();
    assert!(desk.scoring.take_verdicts(run.path()).unwrap().is_none());
    let folder = run.path().join(JUDGING);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(SETTING), "{ broken").unwrap();
    refused(JudgingSetting::read(run.path()).map(drop), "judging.json cannot be read: ");
    refused(desk.scoring.take_verdicts(run.path()).map(drop), "; move it away");
    remove(run.path()).unwrap();
    assert!(!folder.exists());
    refused(remove(run.path()), "cannot be removed");
}
