//! Every pair of the library, or of some reports, tested by one yes-or-no metric.
//!
//! Half a million pairs of a thousand reports: their solved tasks and conditions come from the
//! library's index, a bit a task, and the answer has one letter a pair. A few reports have the
//! numbers of their pairs as well.

use super::MOST;
use crate::Compare;
use koab_analysis::paired::matrix::{Matrix, Pair, Summary};
use koab_analysis::paired::{ALPHA, Outcomes, holm};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::score::{MetricId, is_judged};
use koab_core::sentence::Sentence;
use koab_report::comparability::{Conditions, Grade};
use koab_runs::{ReportRow, WireError};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use ts_rs::TS;

/// Which reports, by what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MatrixRequest {
    /// Report ids; empty for the whole library.
    pub ids: Vec<String>,
    /// The metric; null for SR.
    pub metric: Option<MetricId>,
    /// Only this level; null for all.
    pub level: Option<Level>,
    /// Only reports scored by these rules; null for all.
    pub scorer: Option<Protocol>,
}

impl MatrixRequest {
    /// The metric that pairs are compared by.
    fn metric(&self) -> MetricId {
        self.metric.unwrap_or(MetricId::Sr)
    }
}

/// A report of the matrix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MatrixReport {
    /// Report id.
    pub id: String,
    /// Model id.
    pub model: String,
    /// Date of the run as the report says it.
    pub date: String,
    /// Scored by which rules.
    pub scorer: Protocol,
    /// Tasks solved.
    pub solved: u32,
    /// Tasks with a score.
    pub tasks: u32,
    /// Its rank by the share that it solved, 1 the best; equal shares share one. Null where it has
    /// another number of tasks than [`MatrixView::tasks`]: a share of other tasks is no place among
    /// these.
    pub rank: Option<u32>,
}

/// A report without what the matrix compares by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MatrixLeftOut {
    /// Report id.
    pub id: String,
    /// Model id.
    pub model: String,
    /// Why it is not compared.
    pub reason: Sentence,
}

/// The numbers of a pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MatrixPair {
    /// Place of the one report.
    pub row: u32,
    /// Place of the other, later one.
    pub column: u32,
    /// Tasks that only the row's report solved.
    pub only_row: u32,
    /// Tasks that only the column's report solved.
    pub only_column: u32,
    /// McNemar's exact p; null when the two may not be compared or share no task.
    pub p: Option<f64>,
    /// The same after Holm's correction over all pairs of the matrix.
    pub holm: Option<f64>,
}

/// Reports against each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MatrixView {
    /// By what.
    pub metric: MetricId,
    /// Over one level, or all.
    pub level: Option<Level>,
    /// Tasks of the ranked reports: the number that most of the reports have.
    pub tasks: u32,
    /// The reports: the ranked first, and of these and the others the one that solved the greatest
    /// share.
    pub reports: Vec<MatrixReport>,
    /// Reports that have not what is compared.
    pub left_out: Vec<MatrixLeftOut>,
    /// A letter a pair: the first report with each later one, then the second, and so on. `x` may
    /// not be compared, by a judged metric also where the judges are others; `n` shares no task;
    /// `a` to `c` both solved as many, `d` to `f` the row's solved more, `g` to `i` the column's:
    /// the first of three no significant difference, the second can on its own (p below 0.05), the
    /// third after Holm's correction over all pairs. A capital letter can be compared within limits
    /// only.
    pub cells: String,
    /// The numbers, for at most 60 reports; empty for more.
    pub pairs: Vec<MatrixPair>,
    /// Pairs that were tested.
    pub tested: u32,
    /// Of these, pairs with p below 0.05.
    pub separated: u32,
    /// Pairs below 0.05 after Holm's correction over all that were tested.
    pub separated_holm: u32,
    /// Pairs that may not be compared.
    pub refused: u32,
}

/// A report of the index.
struct IndexedReport {
    row: ReportRow,
    outcomes: Outcomes,
    /// Place of its conditions among those that occur.
    class: usize,
}

impl Compare {
    /// Tests every pair of reports by a yes-or-no metric.
    ///
    /// # Errors
    /// When a report that was named is not there, a metric is not yes or no, or the library cannot
    /// be read.
    pub fn compare_matrix(&self, request: &MatrixRequest) -> Result<MatrixView, WireError> {
        let metric = request.metric();
        if !metric.is_proportion() {
            return Err(WireError::bad_request(say!(
                "{metric} is not yes or no of a task; pairs are compared by SR or another such metric"
            )));
        }
        let (known, classes) = self.reports(request)?;
        let outcomes: Vec<Outcomes> = known.iter().map(|one| one.outcomes.clone()).collect();
        let matrix = Matrix::new(&outcomes, metric, request.level);
        let mut left_out = Vec::new();
        let mut order: Vec<(usize, u32, u32)> = Vec::new();
        for (place, one) in known.iter().enumerate() {
            match matrix.counts(place) {
                Ok((solved, tasks)) => order.push((place, solved, tasks)),
                Err(reason) => left_out.push(MatrixLeftOut {
                    id: one.row.id.clone(),
                    model: one.row.model.clone(),
                    reason: reason.to_owned(),
                }),
            }
        }
        let share = |solved: u32, tasks: u32| f64::from(solved) / f64::from(tasks.max(1));
        let most = common(order.iter().map(|(.., tasks)| *tasks));
        order.sort_by(|one, other| {
            let by_tasks = (one.2 != most).cmp(&(other.2 != most));
            let by_share = share(other.1, other.2).total_cmp(&share(one.1, one.2));
            by_tasks.then(by_share).then_with(|| known[one.0].row.id.cmp(&known[other.0].row.id))
        });
        let places: Vec<usize> = order.iter().map(|(place, ..)| *place).collect();
        let pairs = on_threads(places.len(), &|at| {
            let grade = |one: usize, other: usize| classes.grade(known[one].class, known[other].class);
            matrix.row(&places, at, &grade)
        });
        let (summary, largest) = matrix.summary(&pairs);
        Ok(MatrixView {
            metric,
            level: request.level,
            tasks: most,
            cells: pairs.iter().map(|pair| letter(&matrix, *pair, &summary, largest)).collect(),
            pairs: if places.len() <= MOST { numbers(&matrix, &pairs, places.len()) } else { Vec::new() },
            reports: order
                .iter()
                .map(|(place, solved, tasks)| {
                    let row = &known[*place].row;
                    MatrixReport {
                        id: row.id.clone(),
                        model: row.model.clone(),
                        date: row.date.clone(),
                        scorer: row.scorer,
                        solved: *solved,
                        tasks: *tasks,
                        rank: (*tasks == most).then(|| {
                            let ranked = order.iter().filter(|(.., tasks)| *tasks == most);
                            ranked.filter(|(_, better, _)| better > solved).count() as u32 + 1
                        }),
                    }
                })
                .collect(),
            left_out,
            tested: summary.tested as u32,
            separated: summary.separated as u32,
            separated_holm: summary.separated_holm as u32,
            refused: summary.refused as u32,
        })
    }

    /// The reports that were asked for, from the index as it is now.
    fn reports(&self, request: &MatrixRequest) -> Result<(Vec<IndexedReport>, Classes), WireError> {
        let mut rows: HashMap<String, ReportRow> = HashMap::new();
        for row in self.runs.library.reports_library()? {
            rows.insert(row.id.clone(), row);
        }
        for id in &request.ids {
            if !rows.contains_key(id) {
                return Err(WireError::not_found(say!("there is no report {id}; see `koab report list`")));
            }
        }
        let mut classes = Classes::default();
        let mut known = Vec::new();
        for indexed in self.workspace.store()?.report_outcomes()? {
            let is_asked = request.ids.is_empty() || request.ids.contains(&indexed.id);
            let Some(row) = rows.remove(&indexed.id).filter(|row| {
                is_asked && row.problem.is_none() && request.scorer.is_none_or(|scorer| row.scorer == scorer)
            }) else {
                continue;
            };
            // The index was made by this very version, and what it could not read has a problem.
            let outcomes = serde_json::from_str(&indexed.outcomes).map_err(WireError::internal)?;
            let class = classes.class(&indexed.conditions)?;
            known.push(IndexedReport { row, outcomes, class });
        }
        classes.judge(request.metric());
        Ok((known, classes))
    }
}

/// The number that occurs most often, of several the greatest; 0 where there is none.
fn common(numbers: impl Iterator<Item = u32>) -> u32 {
    let mut times: HashMap<u32, usize> = HashMap::new();
    for number in numbers {
        *times.entry(number).or_default() += 1;
    }
    let most = times.into_iter().max_by_key(|(number, times)| (*times, *number));
    most.map_or(0, |(number, _)| number)
}

/// The conditions that occur, each once, and how far any two of them can be compared.
#[derive(Default)]
struct Classes {
    places: HashMap<String, usize>,
    conditions: Vec<Conditions>,
    grades: Vec<Grade>,
}

impl Classes {
    fn class(&mut self, text: &str) -> Result<usize, WireError> {
        if let Some(place) = self.places.get(text) {
            return Ok(*place);
        }
        let conditions = serde_json::from_str(text).map_err(WireError::internal)?;
        self.conditions.push(conditions);
        self.places.insert(text.to_owned(), self.conditions.len() - 1);
        Ok(self.conditions.len() - 1)
    }

    /// Finds the grades of all pairs. A metric that judges decide is not compared over different
    /// judges.
    fn judge(&mut self, metric: MetricId) {
        let judged = is_judged(metric);
        let grade = |one: &Conditions, other: &Conditions| match judged && one.judges_differ(other) {
            true => Grade::NotComparable,
            false => one.grade(other),
        };
        let conditions = &self.conditions;
        let each = conditions.iter().flat_map(|one| conditions.iter().map(move |other| grade(one, other)));
        self.grades = each.collect();
    }

    fn grade(&self, one: usize, other: usize) -> Grade {
        self.grades[one * self.conditions.len() + other]
    }
}

/// The rows of a matrix one behind the other, made by as many threads as the computer has. Early
/// rows are long and late ones short, so each thread takes every so manieth.
fn on_threads(rows: usize, row: &(dyn Fn(usize) -> Vec<Pair> + Sync)) -> Vec<Pair> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let parts: Vec<Vec<(usize, Vec<Pair>)>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|from| scope.spawn(move || (from..rows).step_by(threads).map(|at| (at, row(at))).collect()))
            .collect();
        let done = workers.into_iter().map(std::thread::ScopedJoinHandle::join);
        // A row short would be a wrong matrix.
        done.map(|rows| rows.unwrap_or_else(|fault| std::panic::resume_unwind(fault))).collect()
    });
    let mut rows: Vec<(usize, Vec<Pair>)> = parts.into_iter().flatten().collect();
    rows.sort_by_key(|(at, _)| *at);
    rows.into_iter().flat_map(|(_, row)| row).collect()
}

fn letter(matrix: &Matrix, pair: Pair, summary: &Summary, largest: f64) -> char {
    if pair.grade == Grade::NotComparable {
        return 'x';
    }
    let Some(p) = matrix.p(pair) else { return 'n' };
    let sure = if summary.separated_holm > 0 && p <= largest { 2 } else { u8::from(p < ALPHA) };
    let direction = match pair.lost.cmp(&pair.won) {
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Greater => 1,
        std::cmp::Ordering::Less => 2,
    };
    let first = if pair.grade == Grade::Limited { b'A' } else { b'a' };
    char::from(first + direction * 3 + sure)
}

fn numbers(matrix: &Matrix, pairs: &[Pair], reports: usize) -> Vec<MatrixPair> {
    let tested: Vec<f64> = pairs.iter().filter_map(|pair| matrix.p(*pair)).collect();
    let mut corrected = holm::holm(&tested).into_iter();
    let places = (0..reports).flat_map(|row| (row + 1..reports).map(move |column| (row, column)));
    places
        .zip(pairs)
        .map(|((row, column), pair)| {
            let p = matrix.p(*pair);
            MatrixPair {
                row: row as u32,
                column: column as u32,
                only_row: pair.lost.into(),
                only_column: pair.won.into(),
                p,
                holm: p.and_then(|_| corrected.next()),
            }
        })
        .collect()
}
