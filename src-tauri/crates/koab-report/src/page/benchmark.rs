//! Tables of another benchmark's authors on the page, in the authors' layout.

use crate::{BenchmarkTables, PrintedCell, PrintedTable};
use koab_core::sentence::Language;
use koab_core::text;
use maud::{Markup, html};

pub(super) fn section(tables: &BenchmarkTables, language: Language) -> Markup {
    html! {
        section #tables {
            h2 { (tables.title) }
            @if let Some(why) = &tables.no_tables { p { (language.say(why)) } }
            @for table in &tables.tables { (one(table, language)) }
        }
    }
}

fn one(table: &PrintedTable, language: Language) -> Markup {
    html! {
        table {
            caption { (table.name) }
            tbody { @for cell in &table.cells { (row(cell, language)) } }
        }
        @if let Some(printed) = &table.printed { pre { (printed) } }
    }
}

fn row(cell: &PrintedCell, language: Language) -> Markup {
    html! {
        tr {
            th scope="row" { (cell.name) }
            td.n { (cell.text) }
            td { @if cell.ours { (language.text(text!("ours, not the authors'"))) } }
            td { @if let Some(remark) = &cell.remark { (language.say(remark)) } }
        }
    }
}
