//! Table as a benchmark's authors print it.

use koab_core::measured::Measured;
use koab_core::sentence::Sentence;
use serde::Serialize;

/// Table of a benchmark, with its figures.
#[derive(Clone, Debug)]
pub struct Table {
    /// Name of the table: `Dialog`, `Non-Live`.
    pub name: String,
    /// Figures, not rounded, in printing order.
    pub cells: Vec<Cell>,
    /// The table as text, exactly as the authors' program prints it. `None` if the authors' program
    /// prints no such text.
    pub printed: Option<String>,
}

/// Figure of a table.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Name of the figure. It comes from the authors unless `ours` is set.
    pub name: String,
    /// Value of the figure, or the reason for its absence.
    pub value: Measured,
    /// Whether this product adds the figure, which the authors do not have.
    pub ours: bool,
    /// Remark for the reader.
    pub remark: Option<Sentence>,
}

/// Rules of scoring: the authors' as published, or with their known faults fixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rules {
    /// Published rules, faults included.
    #[default]
    Published,
    /// Rules with the known faults fixed.
    Corrected,
}
