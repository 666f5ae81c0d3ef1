//! `koab report atlas`.

use super::levels;
use crate::args::atlas::{AtlasArgs, AtlasByArg, AtlasFormatArg};
use crate::lang::Lang;
use crate::output::{Output, columns};
use koab_api::wire::{AtlasExport, AtlasFormat, AtlasView};
use koab_api::{Api, AtlasBy, Cause, WireError};
use serde_json::json;

pub(crate) fn atlas(api: &Api, args: AtlasArgs, output: Output) -> Result<(), WireError> {
    let lang = output.lang;
    if args.causes {
        list(output);
        return Ok(());
    }
    let by = match args.by {
        AtlasByArg::Level => AtlasBy::Level,
        AtlasByArg::Model => AtlasBy::Model,
    };
    let causes: Vec<Cause> = args
        .wanted
        .iter()
        .map(|name| {
            name.parse()
                .map_err(|error| WireError::bad_request(format!("{error}")))
        })
        .collect::<Result<_, _>>()?;
    let levels = levels(&args.levels)?;
    let format = match args.format {
        AtlasFormatArg::Table => {
            let mut view = api.atlas(&args.ids)?;
            view.keep(&levels, &causes);
            let text = || table(&view, by, !causes.is_empty() || !levels.is_empty(), lang);
            return match &args.output {
                Some(file) => write(file, &text(), output),
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
    let exported = api.atlas_export(&AtlasExport {
        ids: args.ids,
        format,
        by,
        levels,
        causes,
        language: lang.pick("ko", "en").to_owned(),
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
        WireError::storage(format!(
            "{file} cannot be written: {error}; choose another with -o"
        ))
    })?;
    let written = json!({ "file": file.display().to_string(), "bytes": text.len() });
    let saved = output.lang.pick("저장됨", "written");
    output.result(&written, || format!("{saved}: {}", file.display()));
    Ok(())
}

/// Counts, and once a choice was made the attempts themselves.
fn table(view: &AtlasView, by: AtlasBy, with_attempts: bool, lang: Lang) -> String {
    let korean = lang == Lang::Ko;
    let table = view.table(by, korean);
    let header: Vec<&str> = table.header.iter().map(String::as_str).collect();
    let mut text = if table.rows.is_empty() {
        lang.pick("점수를 잃은 시도가 없습니다.\n", "no attempt lost points\n")
            .to_owned()
    } else {
        columns(&header, &table.rows)
    };
    for line in &table.summary {
        text.push_str(&format!("\n{line}"));
    }
    let lines = view.lines(korean);
    if with_attempts && !lines.is_empty() {
        let header = [
            lang.pick("모델", "model"),
            lang.pick("레벨", "level"),
            lang.pick("과제", "task"),
            lang.pick("첫 원인", "first cause"),
            lang.pick("근거", "evidence"),
        ];
        let rows: Vec<Vec<String>> = lines.into_iter().map(|line| line.cells.to_vec()).collect();
        text.push_str(&format!("\n\n{}", columns(&header, &rows)));
    }
    text
}

fn list(output: Output) {
    let lang = output.lang;
    let rows: Vec<Vec<String>> = Cause::ALL
        .iter()
        .map(|cause| {
            let (name, rule) = cause.named(lang == Lang::Ko);
            vec![cause.to_string(), name.to_owned(), rule.to_owned()]
        })
        .collect();
    let document: Vec<_> = rows
        .iter()
        .map(|row| json!({"cause": row[0], "name": row[1], "rule": row[2]}))
        .collect();
    let header = [
        lang.pick("원인", "cause"),
        lang.pick("이름", "name"),
        lang.pick("규칙", "rule"),
    ];
    output.result(&document, || columns(&header, &rows));
}
