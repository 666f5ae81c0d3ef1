use super::failed_judges;
use crate::tests::desk::refused;
use koab_core::judge::{Answer, Opinion, Verdict};
use koab_core::protocol::Protocol;
use koab_core::score::MetricId;
use koab_engine::judging::Ballot;

fn ballots(failed: &[bool]) -> Vec<(Ballot, Verdict)> {
    let verdict = |failed: &bool| match failed {
        true => Verdict::failed("j/1", MetricId::Sr, "no connection"),
        false => Verdict {
            judge: "j/1".to_owned(),
            metric: MetricId::Sr,
            answer: Answer::Answered(Opinion { success: Some(true), ..Opinion::default() }),
        },
    };
    let ballot = |(question, failed)| (Ballot { question, judge: 0, vote: 0 }, verdict(failed));
    failed.iter().enumerate().map(ballot).collect()
}

#[test]
fn answers_that_failed_are_counted_with_what_becomes_of_their_tasks() {
    for (failed, scorer, sentence) in [
        (&[false, false][..], Protocol::Leaderboard, None),
        (&[], Protocol::Leaderboard, None),
        (
            &[false, true, true],
            Protocol::Leaderboard,
            Some(
                "2 of 3 judge answers failed and count as no or grade 1, as published: no connection; score again to ask for them again",
            ),
        ),
        (
            &[true, false],
            Protocol::Corrected,
            Some(
                "1 of 2 judge answers failed and leave their tasks unscored: no connection; score again to ask for them again",
            ),
        ),
    ] {
        let note = failed_judges(&ballots(failed), scorer).unwrap().map(|note| note.to_string());
        assert_eq!(note.as_deref(), sentence);
    }
    let why =
        "no judge gave an answer that can be used: no connection; check the judge or score with --no-judge";
    refused(failed_judges(&ballots(&[true, true]), Protocol::Corrected).map(drop), why);
}
