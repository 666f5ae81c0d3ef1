//! Matrix of all pairs of the library's reports, or of some reports, tested by one yes-or-no
//! metric.
//!
//! A thousand reports have half a million pairs. Solved tasks and conditions come from the
//! library's index, one bit per task, and the result has one letter per pair. For few reports, the
//! matrix also has the numbers of each pair.

use super::MAX_REPORTS;
use crate::Compare;
use koab_analysis::paired::matrix::{Matrix, Pair, Summary};
use koab_analysis::paired::{ALPHA, Outcomes, holm};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::score::{MetricId, is_judged};
use koab_core::sentence::Sentence;
use koab_library::ReportRow;
use koab_report::comparability::{Conditions, Grade};
use koab_workspace::WireError;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use ts_rs::TS;

/// Reports to compare, and the metric.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MatrixRequest {
    /// Report ids; empty for the whole library.
    pub ids: Vec<String>,
    /// Metric that pairs are compared by; null for SR.
    pub metric: Option<MetricId>,
    /// Only this level; null for all.
    pub level: Option<Level>,
    /// Only reports by this scorer; null for both scorers.
    pub scorer: Option<Protocol>,
}

impl MatrixRequest {
    /// Metric of the matrix, SR by default.
    fn metric(&self) -> MetricId {
        self.metric.unwrap_or(MetricId::Sr)
    }
}

/// Report that is a row of the matrix, with its number of solved tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MatrixReport {
    /// Report id.
    pub id: String,
    /// Model id.
    pub model: String,
    /// Date of the run as the report gives it.
    pub date: String,
    /// Rules that the report was scored by.
    pub scorer: Protocol,
    /// Number of solved tasks.
    pub solved: u32,
    /// Number of tasks with a score.
    pub tasks: u32,
    /// Rank by share of solved tasks; 1 is the best, and equal shares have the same rank.
    ///
    /// Null when the number of tasks is not [`MatrixView::tasks`], because shares of different
    /// numbers of tasks are not ranked together.
    pub rank: Option<u32>,
}

/// A report that lacks the data for the matrix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MatrixLeftOut {
    /// Report id.
    pub id: String,
    /// Model id.
    pub model: String,
    /// Reason why the report is not compared.
    pub reason: Sentence,
}

/// Numbers and p-values of a pair of reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MatrixPair {
    /// Position of the first report.
    pub row: u32,
    /// Position of the second report, which comes later.
    pub column: u32,
    /// Number of tasks that only the row's report solved.
    pub only_row: u32,
    /// Number of tasks that only the column's report solved.
    pub only_column: u32,
    /// Exact p-value of McNemar's test; null when the two reports may not be compared or have no
    /// task in common.
    pub p: Option<f64>,
    /// The p-value after Holm's correction over all pairs of the matrix.
    pub holm: Option<f64>,
}

/// Tests of all pairs of reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MatrixView {
    /// Metric that pairs are compared by.
    pub metric: MetricId,
    /// Level that is compared; null for all.
    pub level: Option<Level>,
    /// Number of tasks of the ranked reports, which is the number that occurs in most reports.
    pub tasks: u32,
    /// The reports: first those with a rank, then the others. Both groups are sorted by share of
    /// solved tasks, the best first.
    pub reports: Vec<MatrixReport>,
    /// Reports that lack the data for the matrix.
    pub left_out: Vec<MatrixLeftOut>,
    /// One letter per pair: the first report with each later one, then the second, and so on.
    /// Capital letters mark pairs that are comparable only within limits.
    ///
    /// - `x`: may not be compared, for a judged metric also because the judges differ
    /// - `n`: no task in common
    /// - `a` to `c`: both solved the same number of tasks
    /// - `d` to `f`: the row's report solved more
    /// - `g` to `i`: the column's report solved more
    ///
    /// The three letters of a range mean: no significant difference, significant for the pair alone
    /// (p below 0.05), and significant after Holm's correction over all pairs.
    pub cells: String,
    /// Numbers of each pair, for at most 60 reports; empty for more.
    pub pairs: Vec<MatrixPair>,
    /// Number of pairs that were tested.
    pub tested: u32,
    /// Number of tested pairs with p below 0.05.
    pub separated: u32,
    /// Number of tested pairs with p below 0.05 after Holm's correction over all tested pairs.
    pub separated_holm: u32,
    /// Number of pairs that may not be compared.
    pub refused: u32,
}

/// A report with its outcomes from the library's index.
struct IndexedReport {
    row: ReportRow,
    outcomes: Outcomes,
    /// Position in [`Classes`] of the conditions that the report was made under.
    class: usize,
}

impl Compare {
    /// Tests every pair of reports by a yes-or-no metric.
    ///
    /// # Errors
    /// When a requested report does not exist, the metric is not yes or no, or the library cannot
    /// be read.
    pub fn compare_matrix(&self, request: &MatrixRequest) -> Result<MatrixView, WireError> {
        let metric = request.metric();
        if !metric.is_proportion() {
            return Err(WireError::bad_request(say!(
                "{metric} is not a yes-or-no metric; compare pairs by SR or another yes-or-no metric"
            )));
        }
        let (indexed_reports, classes) = self.reports(request)?;
        let outcomes: Vec<Outcomes> = indexed_reports.iter().map(|one| one.outcomes.clone()).collect();
        let matrix = Matrix::new(&outcomes, metric, request.level.as_ref());
        let mut left_out = Vec::new();
        let mut order: Vec<(usize, u32, u32)> = Vec::new();
        for (place, one) in indexed_reports.iter().enumerate() {
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
            by_tasks
                .then(by_share)
                .then_with(|| indexed_reports[one.0].row.id.cmp(&indexed_reports[other.0].row.id))
        });
        let places: Vec<usize> = order.iter().map(|(place, ..)| *place).collect();
        let pairs = on_threads(places.len(), &|at| {
            let grade = |one: usize, other: usize| {
                classes.grade(indexed_reports[one].class, indexed_reports[other].class)
            };
            matrix.row(&places, at, &grade)
        });
        let (summary, largest) = matrix.summary(&pairs);
        Ok(MatrixView {
            metric,
            level: request.level.clone(),
            tasks: most,
            cells: pairs.iter().map(|pair| letter(&matrix, *pair, &summary, largest)).collect(),
            pairs: if places.len() <= MAX_REPORTS {
                numbers(&matrix, &pairs, places.len())
            } else {
                Vec::new()
            },
            reports: order
                .iter()
                .map(|(place, solved, tasks)| {
                    let row = &indexed_reports[*place].row;
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

    /// Requested reports from the current index.
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
        let mut indexed_reports = Vec::new();
        for indexed in self.workspace.store()?.report_outcomes()? {
            let is_asked = request.ids.is_empty() || request.ids.contains(&indexed.id);
            let Some(row) = rows.remove(&indexed.id).filter(|row| {
                is_asked && row.problem.is_none() && request.scorer.is_none_or(|scorer| row.scorer == scorer)
            }) else {
                continue;
            };
            // The index was written by this version, and a report that could not be read was
            // skipped above.
            let outcomes = serde_json::from_str(&indexed.outcomes).map_err(WireError::internal)?;
            let class = classes.class(&indexed.conditions)?;
            indexed_reports.push(IndexedReport { row, outcomes, class });
        }
        classes.judge(request.metric());
        Ok((indexed_reports, classes))
    }
}

/// Most frequent number. If several numbers are equally frequent, the greatest of them; 0 if there
/// are no numbers.
fn common(numbers: impl Iterator<Item = u32>) -> u32 {
    let mut times: HashMap<u32, usize> = HashMap::new();
    for number in numbers {
        *times.entry(number).or_default() += 1;
    }
    let most = times.into_iter().max_by_key(|(number, times)| (*times, *number));
    most.map_or(0, |(number, _)| number)
}

/// The distinct conditions (protocol, pack, judges and so on) that reports were made under, and the
/// comparability of any two conditions.
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

    /// Computes the grades of all pairs of conditions. A judged metric is not compared across
    /// different judges.
    fn judge(&mut self, metric: MetricId) {
        let needs_judges = is_judged(metric);
        let grade = |one: &Conditions, other: &Conditions| {
            if needs_judges && one.judges_differ(other) { Grade::NotComparable } else { one.grade(other) }
        };
        let conditions = &self.conditions;
        let each = conditions.iter().flat_map(|one| conditions.iter().map(move |other| grade(one, other)));
        self.grades = each.collect();
    }

    fn grade(&self, one: usize, other: usize) -> Grade {
        self.grades[one * self.conditions.len() + other]
    }
}

/// Computes the rows of a matrix on all processors and joins them. Early rows are long and late
/// rows are short, so the threads get the rows in turn.
fn on_threads(rows: usize, row: &(dyn Fn(usize) -> Vec<Pair> + Sync)) -> Vec<Pair> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let parts: Vec<Vec<(usize, Vec<Pair>)>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|from| scope.spawn(move || (from..rows).step_by(threads).map(|at| (at, row(at))).collect()))
            .collect();
        let done = workers.into_iter().map(std::thread::ScopedJoinHandle::join);
        // Without a row the matrix would be wrong, so a panic is passed on.
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
