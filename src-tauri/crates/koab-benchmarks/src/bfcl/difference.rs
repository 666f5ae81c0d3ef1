//! Differences of the corrected rules from the published ones (`docs/spec/bfcl.md` §6).

use crate::Difference;

const AST: &[&str] = &["ASTAcc"];

pub(super) const DIFFERENCES: &[Difference] = &[
    Difference {
        id: "unpassable",
        metrics: AST,
        published: "eight items count although no reply passes them, or only an absurd one",
        corrected: "they are not scored",
    },
    Difference {
        id: "java-quotes",
        metrics: AST,
        published: "an array of texts in Java passes only without the quotes that Java wants",
        corrected: "it passes with them, too",
    },
    Difference {
        id: "blank",
        metrics: AST,
        published: "a blank text or an empty list is right for every optional parameter",
        corrected: "it is right where it is an accepted value or the documented default",
    },
    Difference {
        id: "marks",
        metrics: AST,
        published: "texts are compared without blanks, points, commas, slashes and dashes: 1.5 is 15",
        corrected: "a mark at a number counts; commas between thousands do not",
    },
    Difference {
        id: "broken-call",
        metrics: &["NoCallAcc"],
        published: "a call that cannot be read is no call",
        corrected: "it is one",
    },
    Difference {
        id: "pairing",
        metrics: AST,
        published: "each wanted call takes the first reply that fits, even where another needs it",
        corrected: "a reply is right where wanted and given calls can be paired at all",
    },
    Difference {
        id: "widening",
        metrics: AST,
        published: "a whole number is a float by itself, but not in a list",
        corrected: "it is one in a list, too",
    },
    Difference {
        id: "truth-values",
        metrics: AST,
        published: "in objects and lists true is 1 and false is 0",
        corrected: "they are not",
    },
    Difference {
        id: "commas",
        metrics: AST,
        published: "a comma cuts Java and JavaScript lists even inside quotes",
        corrected: "it does not",
    },
    Difference {
        id: "not-run",
        metrics: &[],
        published: "a category that was not answered counts 0 in the sums of its table",
        corrected: "the sums have no figure then",
    },
];
