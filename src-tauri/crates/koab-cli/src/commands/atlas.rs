//! Implements `koab report atlas`: shows the causes of lost points.

use super::levels::groups;
use crate::args::atlas::{AtlasArgs, AtlasFormatArg};
use crate::output::{Columns, Output, columns, for_file};
use koab_api::{Api, AtlasBy, Cause, WireError};
use koab_api::{AtlasExport, AtlasFormat, AtlasSource, AtlasView, fault_counts};
use koab_core::sentence::Language;
use koab_core::{say, text};
use serde_json::json;

pub(crate) fn atlas(api: &Api, args: AtlasArgs, output: Output) -> Result<(), WireError> {
    let lang = output.lang;
    if args.causes {
        list(output);
        return Ok(());
    }
    let by = args.by;
    let causes: Vec<Cause> = args
        .wanted
        .iter()
        .map(|name| name.parse().map_err(|error| WireError::bad_request(say!("{error}"))))
        .collect::<Result<_, _>>()?;
    let levels = groups(&args.levels)?;
    let format = match args.format {
        AtlasFormatArg::Table => {
            let mut view = api.compare.atlas(&args.ids)?;
            view.keep(&levels, &causes)?;
            let text = || table(&view, by, !causes.is_empty() || !levels.is_empty(), lang);
            return match &args.output {
                Some(file) => write(file, &for_file(text), output),
                None => {
                    output.result(&view, text);
                    Ok(())
                }
            };
        }
        AtlasFormatArg::Csv => AtlasFormat::Csv,
        AtlasFormatArg::Json => AtlasFormat::Json,
        AtlasFormatArg::Markdown => AtlasFormat::Markdown,
        AtlasFormatArg::Svg => AtlasFormat::Svg,
    };
    let exported = api.compare.atlas_export(&AtlasExport {
        ids: args.ids,
        format,
        by,
        levels,
        causes,
        language: lang.tag().to_owned(),
    })?;
    match &args.output {
        Some(file) => write(file, &exported.text, output),
        None => {
            output.file(&exported, &exported.text);
            Ok(())
        }
    }
}

fn write(file: &std::path::Path, text: &str, output: Output) -> Result<(), WireError> {
    std::fs::write(file, text).map_err(|error| {
        let file = file.display();
        WireError::storage(say!("{file} cannot be written: {error}; choose another with -o"))
    })?;
    let file_info = json!({ "file": file.display().to_string(), "bytes": text.len() });
    let saved = output.lang.text(text!("written"));
    output.result(&file_info, || format!("{saved}: {}", file.display()));
    Ok(())
}

/// Table with the number of attempts per cause. If the user selects levels or causes, their
/// attempts are listed too.
pub(super) fn table(view: &AtlasView, by: AtlasBy, with_attempts: bool, lang: Language) -> String {
    let table = view.table(by, lang);
    let header: Vec<&str> = table.header.iter().map(String::as_str).collect();
    let mut text = if view.is_of_items() {
        String::new()
    } else if table.rows.is_empty() {
        lang.text(text!("no attempt lost points\n")).to_owned()
    } else {
        columns(&header, &table.rows, lang)
    };
    for line in &table.summary {
        text.push_str(&format!("\n{line}"));
    }
    for source in view.sources.iter().filter(|source| source.items.is_some()) {
        text.push_str(&items(view, source, with_attempts, lang));
    }
    let lines = view.lines(lang);
    if with_attempts && !lines.is_empty() {
        let table = Columns::new(&lines, lang)
            .column(text!("model"), |line| &line.cells[0])
            .column(text!("level"), |line| &line.cells[1])
            .id(text!("task"), |line| &line.cells[2])
            .column(text!("first cause"), |line| &line.cells[3])
            .prose(text!("evidence"), |line| &line.cells[4]);
        text.push_str(&format!("\n\n{}", table.text()));
    }
    text
}

/// Table of wrong items of another benchmark: the number of items per fault. If the user selects
/// levels or causes, their items are listed too.
fn items(view: &AtlasView, source: &AtlasSource, with_items: bool, lang: Language) -> String {
    let counts = fault_counts(view.items_of(source));
    if counts.is_empty() {
        return String::new();
    }
    let table = Columns::new(&counts, lang)
        .column(text!("fault"), |count| &count.fault)
        .column(text!("metric"), |count| &count.metric)
        .column(text!("items"), |count| count.items.to_string())
        .prose(text!("groups"), |count| {
            let groups = count.groups.iter();
            let groups: Vec<String> = groups.map(|(group, items)| format!("{group} {items}")).collect();
            groups.join(", ")
        });
    let mut text = format!("\n\n{}\n{}", source.model, table.text());
    if with_items {
        let wrong: Vec<_> = view.items_of(source).collect();
        let table = Columns::new(&wrong, lang)
            .column(text!("group"), |item| item.level.to_string())
            .id(text!("item"), |item| &item.task)
            .column(text!("fault"), |item| &item.fault)
            .prose(text!("details"), |item| &item.more);
        text.push_str(&format!("\n{}", table.text()));
    }
    text
}

fn list(output: Output) {
    let lang = output.lang;
    // `--json` is for scripts, so it is in English in every language.
    let document: Vec<_> = Cause::ALL
        .iter()
        .map(|cause| {
            let (name, rule) = cause.label(Language::ENGLISH);
            json!({"cause": cause.to_string(), "name": name, "rule": rule})
        })
        .collect();
    output.result(&document, || {
        Columns::new(Cause::ALL, lang)
            .column(text!("cause"), |cause| cause)
            .column(text!("name"), |cause| cause.label(lang).0)
            .prose(text!("rule"), |cause| cause.label(lang).1)
            .text()
    });
}
