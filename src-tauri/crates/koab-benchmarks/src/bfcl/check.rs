//! Check of a reply's calls against the expected calls (`docs/spec/bfcl.md` §4).

mod matching;
mod single;
mod types;
mod values;

use super::category::{Category, Check, Language};
use super::fault::{self, Fault};
use super::reply::Read;
use crate::python::PyValue;
use crate::table::Rules;
use indexmap::IndexMap;
use serde_json::Value;

/// Settings of the check: the language and the rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checker {
    pub(super) language: Language,
    pub(super) rules: Rules,
}

impl Checker {
    /// Whether the rules are the corrected ones, which fix known faults of the published rules.
    pub(super) fn mends(self) -> bool {
        self.rules == Rules::Corrected
    }
}

/// Fault of a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) fault: Fault,
    /// For an expected call without a match: the reason why each remaining call does not match.
    pub(super) calls: Vec<Fault>,
}

impl From<Fault> for Wrong {
    fn from(fault: Fault) -> Self {
        Self { fault, calls: Vec::new() }
    }
}

/// Expected call of an item.
#[derive(Clone, Debug)]
pub(super) struct Truth<'a> {
    /// Description of the function; `None` where the item has no function of this name.
    function: Option<&'a Value>,
    /// Accepted values of each parameter.
    parameters: IndexMap<&'a str, Vec<PyValue>>,
}

impl<'a> Truth<'a> {
    fn read(call: &'a Value, functions: &'a [Value]) -> Option<Self> {
        let (name, parameters) = call.as_object()?.iter().next()?;
        let parameters = parameters.as_object()?.iter().map(|(name, accepted)| {
            let accepted = accepted.as_array().map(Vec::as_slice).unwrap_or_default();
            (name.as_str(), accepted.iter().map(PyValue::from).collect())
        });
        Some(Self {
            function: functions.iter().find(|function| function["name"].as_str() == Some(name)),
            parameters: parameters.collect(),
        })
    }
}

/// Checks the calls of a reply against an item's expected calls.
pub(super) fn check(category: Category, source: &Value, calls: &[Read], rules: Rules) -> Result<(), Wrong> {
    let list = |field: &str| source[field].as_array().map(Vec::as_slice).unwrap_or_default();
    let functions = list("function");
    let truths = list("ground_truth").iter().filter_map(|call| Truth::read(call, functions));
    let truths: Vec<_> = truths.collect();
    let checker = Checker { language: category.language, rules };
    match category.check {
        Check::Parallel if calls.len() != truths.len() => Err(fault::PARALLEL_COUNT.into()),
        Check::Parallel if checker.mends() => checker.any(&truths, calls),
        Check::Parallel => checker.greedy(&truths, calls),
        Check::Multiple if calls.len() != 1 => Err(fault::MULTIPLE_COUNT.into()),
        _ if calls.len() != 1 => Err(fault::SIMPLE_COUNT.into()),
        _ => match truths.first() {
            Some(truth) => Ok(checker.call(truth, &calls[0])?),
            None => Err(fault::WRONG_NAME.into()),
        },
    }
}
