//! The thirteen categories of the single-turn part (`docs/spec/bfcl.md` §1), and the four of the
//! multi-turn part (§7).

/// Programming language of the functions; it determines the notation of argument values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Python,
    Java,
    JavaScript,
}

/// Condition that the replies to a category's items have to meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Check {
    /// The reply has exactly one call, of the only function.
    Simple,
    /// The reply has exactly one call, of one of several functions.
    Multiple,
    /// The reply has several calls in any order.
    Parallel,
    /// The reply has no call.
    NoCall,
    /// The reply has at least one call.
    AnyCall,
}

impl Check {
    /// Name of the metric that scores this condition.
    pub(super) fn metric(self) -> &'static str {
        match self {
            Self::Simple | Self::Multiple | Self::Parallel => "ASTAcc",
            Self::NoCall => "NoCallAcc",
            Self::AnyCall => "CallAcc",
        }
    }

    /// Whether the category has a file of expected answers.
    pub(super) fn has_truth(self) -> bool {
        self.metric() == "ASTAcc"
    }
}

/// Category of the benchmark's items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Category {
    pub(super) name: &'static str,
    /// Group that contains the category.
    pub(super) part: &'static str,
    pub(super) check: Check,
    pub(super) language: Language,
}

const fn row(name: &'static str, part: &'static str, check: Check) -> Category {
    Category { name, part, check, language: Language::Python }
}

/// All single-turn categories, in the authors' order.
pub(super) const CATEGORIES: [Category; 13] = [
    row("simple_python", "non_live", Check::Simple),
    Category { language: Language::Java, ..row("simple_java", "non_live", Check::Simple) },
    Category { language: Language::JavaScript, ..row("simple_javascript", "non_live", Check::Simple) },
    row("multiple", "non_live", Check::Multiple),
    row("parallel", "non_live", Check::Parallel),
    row("parallel_multiple", "non_live", Check::Parallel),
    row("irrelevance", "non_live", Check::NoCall),
    row("live_simple", "live", Check::Simple),
    row("live_multiple", "live", Check::Multiple),
    row("live_parallel", "live", Check::Parallel),
    row("live_parallel_multiple", "live", Check::Parallel),
    row("live_irrelevance", "live", Check::NoCall),
    row("live_relevance", "live", Check::AnyCall),
];

/// Multi-turn categories, in the order of the authors' tables.
pub(super) const MULTI_TURN: [&str; 4] =
    ["multi_turn_base", "multi_turn_miss_func", "multi_turn_miss_param", "multi_turn_long_context"];

impl Category {
    /// Category with this name.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        CATEGORIES.into_iter().find(|category| category.name == name)
    }

    /// Name of the category's file of questions, which is also the name of its file of answers.
    pub(super) fn file(self) -> String {
        format!("BFCL_v4_{}.json", self.name)
    }
}
