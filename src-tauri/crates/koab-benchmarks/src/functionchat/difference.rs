//! Known faults of the published scoring, and their corrections.

use super::source::{EXACT_CALL, TURN_PASS};
use crate::difference::Difference;

pub(super) const DIFFERENCES: &[Difference] = &[
    Difference {
        id: "accepted-numbers",
        metrics: &[EXACT_CALL, TURN_PASS],
        published: "an argument whose accepted value is a number or a boolean may have any value or be missing",
        corrected: "it has to equal the truth or the accepted value",
    },
    Difference {
        id: "several-calls",
        metrics: &[EXACT_CALL, TURN_PASS],
        published: "the first call counts, whatever is called after it",
        corrected: "a reply with more than one call is not exact and fails, no judge asked",
    },
    Difference {
        id: "arguments-no-object",
        metrics: &[EXACT_CALL],
        published: "the program stops at arguments that are JSON and no object; here they are not exact and marked",
        corrected: "they are not exact",
    },
    Difference {
        id: "verdict-reading",
        metrics: &[TURN_PASS],
        published: "a verdict is any of some words anywhere in the last two lines, a pass before a fail, negations included",
        corrected: "the verdict is the last line that has nothing else; negations and 실패 are fails, and a reply without one is asked for again",
    },
    Difference {
        id: "votes",
        metrics: &[TURN_PASS],
        published: "a judge is asked once",
        corrected: "a judge is asked three times, and two equal verdicts decide",
    },
    Difference {
        id: "denominators",
        metrics: &[],
        published: "what has no verdict is left out of CallDecision and of the types of Dialog, and counts as no pass in SingleCall and in Dialog's average",
        corrected: "what has no verdict is left out everywhere, and counted beside",
    },
];
