//! The table as text for a terminal.

use super::columns::{Align, columns};
use super::{Table, Verdict};
use std::fmt::Write as _;

impl Table {
    /// One line an instance with a mark a trial, then the sums.
    pub fn to_text(&self) -> String {
        let mut rows = vec![
            ["instance".to_owned()]
                .into_iter()
                .chain(self.repetitions.iter().map(u32::to_string))
                .chain(["passed", "failed", "missing", "seconds"].map(str::to_owned))
                .collect::<Vec<_>>(),
        ];
        for row in &self.rows {
            let marks = row.trials.iter().map(|cell| match (&cell.verdict, cell.cause) {
                (Verdict::Passed, _) => "passed".to_owned(),
                (_, Some(cause)) if cause.is_technical() => cause.name().to_owned(),
                (Verdict::Failed, _) => "failed".to_owned(),
                (Verdict::Missing { .. }, _) => "missing".to_owned(),
            });
            let seconds: Option<f64> = row
                .trials
                .iter()
                .filter_map(|cell| cell.seconds)
                .reduce(|sum, seconds| sum + seconds);
            let mut cells = vec![row.instance.clone()];
            cells.extend(marks);
            cells.extend([row.passed, row.failed, row.missing].map(|count| count.to_string()));
            cells.push(seconds.map_or_else(|| "–".to_owned(), |seconds| format!("{seconds:.1}")));
            rows.push(cells);
        }
        let mut aligns = vec![Align::Left; self.repetitions.len() + 1];
        aligns.extend([Align::Right; 4]);
        let mut out = columns(&rows, &aligns);
        self.sums(&mut out);
        out
    }

    fn sums(&self, out: &mut String) {
        let totals = &self.totals;
        let _ = writeln!(
            out,
            "\n{} of {} trials passed, {} failed, {} missing; {} of {} instances at least once, {} always",
            totals.passed,
            totals.trials,
            totals.failed,
            totals.missing,
            totals.passed_once,
            totals.instances,
            totals.passed_always
        );
        for pass in &totals.pass_at_k {
            let _ = write!(out, "pass@{} {:.1} %", pass.k, 100.0 * pass.value);
            if pass.k == 1 {
                for (name, measured) in [
                    ("Wilson", &totals.wilson),
                    ("over instances", &totals.over_instances),
                ] {
                    if let Some(interval) = measured.interval {
                        let (low, high) = (100.0 * interval.low, 100.0 * interval.high);
                        let _ = write!(out, ", 95 % interval {low:.1} to {high:.1} ({name})");
                    }
                }
            }
            out.push('\n');
        }
        let causes: Vec<String> = totals
            .causes
            .iter()
            .map(|(cause, count)| format!("{} {count}", cause.name()))
            .collect();
        if !causes.is_empty() {
            let _ = writeln!(out, "ended: {}", causes.join(", "));
        }
        if totals.timed > 0 {
            let _ = writeln!(
                out,
                "time: {:.1} s in {} trials, {:.1} s each",
                totals.seconds,
                totals.timed,
                totals.seconds / totals.timed as f64
            );
        }
    }
}
