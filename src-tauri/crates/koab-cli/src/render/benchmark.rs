//! Tables that the authors of a benchmark publish.

use crate::output::Columns;
use koab_api::PrintedTable;
use koab_core::sentence::Language;
use koab_core::text;

/// All tables, each under its name.
pub(crate) fn tables(tables: &[PrintedTable], lang: Language) -> String {
    let mut text = String::new();
    for PrintedTable { name, printed, cells } in tables {
        let figures = || {
            Columns::new(cells, lang)
                .id("", |cell| &cell.name)
                .column("", |cell| &cell.text)
                .column("", |cell| {
                    let ours = cell.ours.then(|| lang.text(text!("ours, not the authors'")).to_owned());
                    let remark = cell.remark.as_ref().map(|remark| lang.say(remark));
                    ours.into_iter().chain(remark).collect::<Vec<_>>().join("; ")
                })
                .text()
        };
        let table = printed.clone().unwrap_or_else(figures);
        text.push_str(&format!("\n{name}\n{table}"));
    }
    text
}
