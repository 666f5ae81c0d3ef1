//! Table of measured values with their targets.

/// Target of a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// Upper limit.
    AtMost(f64),
    /// Lower limit.
    AtLeast(f64),
}

/// A measured value.
#[derive(Debug)]
pub(super) struct Row {
    name: String,
    /// The value, or the reason why it could not be measured.
    value: Result<f64, String>,
    unit: &'static str,
    target: Option<Target>,
}

impl Row {
    /// Creates a row without a target.
    pub(super) fn new(name: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self { name: name.into(), value: Ok(value), unit, target: None }
    }

    /// Creates a row for a value that could not be measured.
    pub(super) fn unmeasured(name: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { name: name.into(), value: Err(reason.into()), unit: "", target: None }
    }

    /// Sets the target.
    pub(super) fn target(mut self, target: Target) -> Self {
        self.target = Some(target);
        self
    }

    /// Whether the value was measured and misses its target.
    pub(super) fn misses_target(&self) -> bool {
        match (&self.value, self.target) {
            (Ok(value), Some(Target::AtMost(limit))) => *value > limit,
            (Ok(value), Some(Target::AtLeast(limit))) => *value < limit,
            _ => false,
        }
    }

    fn cells(&self) -> [String; 5] {
        let target = match self.target {
            Some(Target::AtMost(limit)) => format!("≤ {}", number(limit)),
            Some(Target::AtLeast(limit)) => format!("≥ {}", number(limit)),
            None => String::new(),
        };
        let (value, verdict) = match &self.value {
            Err(reason) => ("–".to_owned(), format!("unmeasured: {reason}")),
            Ok(value) if self.misses_target() => (number(*value), "OVER".to_owned()),
            Ok(value) if self.target.is_some() => (number(*value), "ok".to_owned()),
            Ok(value) => (number(*value), String::new()),
        };
        [self.name.clone(), value, self.unit.to_owned(), target, verdict]
    }
}

/// Text of the table, one line per row.
pub(super) fn render(rows: &[Row]) -> String {
    let head = ["name", "value", "unit", "target", ""].map(str::to_owned);
    let lines: Vec<[String; 5]> = std::iter::once(head).chain(rows.iter().map(Row::cells)).collect();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let [name, value, unit, target] = [width(0), width(1), width(2), width(3)];
    let mut text = String::new();
    for [a, b, c, d, e] in &lines {
        let line = format!("{a:<name$}  {b:>value$}  {c:<unit$}  {d:>target$}  {e}");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Formats a value with three digits, since repeated runs differ in the third.
fn number(value: f64) -> String {
    let digits = match value.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        _ => 3,
    };
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missed_target_and_a_missing_value_are_told_apart() {
        let rows = [
            Row::new("start-up", 12.345, "ms").target(Target::AtMost(100.0)),
            Row::new("run", 31.0, "s").target(Target::AtMost(5.0)),
            Row::new("lookups", 1_234_567.0, "/s").target(Target::AtLeast(100_000.0)),
            Row::new("size", 0.5, "MB"),
            Row::unmeasured("replay", "no reference data"),
        ];
        let expected = "\
name        value  unit    target
start-up     12.3  ms       ≤ 100  ok
run          31.0  s       ≤ 5.00  OVER
lookups   1234567  /s    ≥ 100000  ok
size        0.500  MB
replay          –                  unmeasured: no reference data
";
        assert_eq!(render(&rows), expected);
        assert!(rows[1].misses_target() && !rows[4].misses_target());
    }
}
