//! Markdown tables of another benchmark's authors.

use crate::markdown_cell;
use crate::{BenchmarkTables, PrintedTable};
use std::fmt::Write as _;

pub(super) fn section(out: &mut String, tables: &BenchmarkTables) {
    line!(out, "## {} 표\n", tables.title);
    if let Some(why) = &tables.no_tables {
        line!(out, "{why}\n");
    }
    for table in &tables.tables {
        line!(out, "### {}\n", table.name);
        cells(out, table);
        if let Some(printed) = &table.printed {
            line!(out, "````text\n{}\n````\n", printed.trim_end());
        }
    }
}

fn cells(out: &mut String, table: &PrintedTable) {
    out.push_str("| 항목 | 값 | 참고 |\n| --- | --- | --- |\n");
    for cell in &table.cells {
        let ours = cell.ours.then(|| "저자들의 값이 아님".to_owned());
        let remarks: Vec<String> =
            ours.into_iter().chain(cell.remark.as_ref().map(ToString::to_string)).collect();
        let remarks = remarks.join("; ");
        let [name, text, remark] = [&cell.name, &cell.text, &remarks].map(|text| markdown_cell(text));
        line!(out, "| {name} | {text} | {remark} |");
    }
    out.push('\n');
}
