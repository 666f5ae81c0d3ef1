//! A table as a benchmark's authors print it.

use crate::benchmark::Benchmark;
use koab_core::measured::Measured;
use koab_core::sentence::Sentence;
use koab_report::{PrintedCell, PrintedTable};
use serde::Serialize;

/// One table.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name: `Dialog`, `Non-Live`.
    pub name: String,
    /// Figures by name, unrounded, in the order in which they are printed.
    pub cells: Vec<Cell>,
    /// As the authors print it, where the form is theirs.
    pub printed: Option<String>,
}

/// One figure.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Its name, the authors' where `ours` is not set.
    pub name: String,
    /// The figure, or why there is none.
    pub value: Measured,
    /// Whether the authors have no such figure.
    pub ours: bool,
    /// What whoever reads the figure has to know.
    pub remark: Option<Sentence>,
}

/// Which rules score: the authors' as published, or those with their known faults mended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rules {
    /// As published, faults included.
    #[default]
    Published,
    /// With the known faults mended.
    Corrected,
}

impl Table {
    /// As people read it.
    pub fn printed(&self, benchmark: &dyn Benchmark) -> PrintedTable {
        let cell = |cell: &Cell| PrintedCell {
            name: cell.name.clone(),
            value: cell.value.as_ref().ok().copied(),
            // A figure that is not there, as authors write it.
            text: match &cell.value {
                Ok(value) => benchmark.cell_text(&cell.name, *value),
                Err(_) => "N/A".to_owned(),
            },
            ours: cell.ours,
            remark: cell.value.as_ref().err().or(cell.remark.as_ref()).cloned(),
        };
        PrintedTable {
            name: self.name.clone(),
            cells: self.cells.iter().map(cell).collect(),
            printed: self.printed.clone(),
        }
    }
}
