//! Locations and contents of the benchmark's files (`docs/spec/bfcl.md` §1).

use super::category::{CATEGORIES, Category};
use super::request;
use crate::{BenchmarkError, Files, Item};
use koab_core::{say, text_file};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

/// Folder of the expected answers, next to the files of questions.
const ANSWERS: &str = "possible_answer";

/// Folder of the data in a pack.
pub(super) const DATA: &str = "tasks";

/// Files of a pack, each as its path in the pack and its path in the source. Empty where there are
/// no questions.
pub(super) fn locate(files: &dyn Files) -> Vec<(String, String)> {
    let paths = files.paths();
    let Some(folder) = data_folder(&paths) else {
        return Vec::new();
    };
    let has = |path: &str| paths.iter().any(|other| other == path);
    let mut pack_files = Vec::new();
    for category in CATEGORIES {
        let file = category.file();
        for inner in [file.clone(), format!("{ANSWERS}/{file}")] {
            let path = format!("{folder}{inner}");
            if has(&path) {
                pack_files.push((format!("{DATA}/{inner}"), path));
            }
        }
    }
    pack_files.extend(licences(&paths, &folder));
    pack_files
}

/// Folder of the questions, with a final `/`. If there are several, it is the one with the fewest
/// parent folders.
fn data_folder(paths: &[String]) -> Option<String> {
    let folders = paths.iter().filter_map(|path| {
        let (folder, name) =
            path.rsplit_once('/').map_or(("", path.as_str()), |(folder, name)| (folder, name));
        let is_question = CATEGORIES.iter().any(|category| category.file() == name);
        let is_answer = folder.rsplit('/').next() == Some(ANSWERS);
        (is_question && !is_answer).then(|| match folder {
            "" => String::new(),
            folder => format!("{folder}/"),
        })
    });
    folders.min_by_key(|folder| (folder.matches('/').count(), folder.clone()))
}

/// Files with the licence and notices in the folders above the data. Of each file name, only the
/// nearest file is taken.
pub(super) fn licences(paths: &[String], folder: &str) -> Vec<(String, String)> {
    let mut notices: Vec<(String, String)> = Vec::new();
    let mut around = folder.trim_end_matches('/');
    loop {
        let here = if around.is_empty() { String::new() } else { format!("{around}/") };
        for path in paths {
            let Some(name) = path.strip_prefix(&here).filter(|name| !name.contains('/')) else {
                continue;
            };
            if is_notice(name) && !notices.iter().any(|(known, _)| known == name) {
                notices.push((name.to_owned(), path.clone()));
            }
        }
        match around.rsplit_once('/') {
            Some((outer, _)) => around = outer,
            None if around.is_empty() => return notices,
            None => around = "",
        }
    }
}

/// Whether the name of a file shows that it may belong to this benchmark.
pub(super) fn is_file(name: &str) -> bool {
    is_notice(name) || CATEGORIES.iter().any(|category| category.file() == name)
}

pub(super) fn is_notice(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().to_ascii_uppercase();
    matches!(stem.as_str(), "LICENSE" | "LICENCE" | "NOTICE")
}

/// All items of a pack.
pub(super) fn items(pack: &dyn Files) -> Result<Vec<Item>, BenchmarkError> {
    let paths = pack.paths();
    let Some(folder) = data_folder(&paths) else {
        let first = CATEGORIES[0].file();
        return Err(BenchmarkError(say!("has no file of BFCL questions, such as {first}")));
    };
    let mut items: Vec<Item> = Vec::new();
    let mut ids = HashSet::new();
    for category in CATEGORIES {
        let path = format!("{folder}{}", category.file());
        if !paths.contains(&path) {
            continue;
        }
        let mut truths =
            if category.check.has_truth() { truths(pack, &folder, category)? } else { HashMap::new() };
        for (line, question) in lines(pack, &path)? {
            let item = item(category, &path, line, question, &mut truths)?;
            if !ids.insert(item.id.clone()) {
                let reason = say!("{item} occurs twice", item = item.id);
                return Err(BenchmarkError(say!("{path}, line {line}: {reason}")));
            }
            items.push(item);
        }
    }
    Ok(items)
}

fn item(
    category: Category,
    path: &str,
    line: usize,
    question: Value,
    truths: &mut HashMap<String, Value>,
) -> Result<Item, BenchmarkError> {
    let lacks =
        |field: &str| BenchmarkError(say!("{path}, line {line}: lacks `{field}` in the form that BFCL has"));
    let Value::Object(mut question) = question else {
        return Err(BenchmarkError(say!("{path}, line {line}: is not a JSON object")));
    };
    let Some(Value::String(id)) = question.swap_remove("id") else {
        return Err(lacks("id"));
    };
    let messages = match question.swap_remove("question") {
        Some(Value::Array(mut turns)) if turns.len() == 1 => match turns.swap_remove(0) {
            Value::Array(messages) => messages,
            _ => return Err(lacks("question")),
        },
        _ => return Err(lacks("question")),
    };
    let Some(Value::Array(functions)) = question.swap_remove("function") else {
        return Err(lacks("function"));
    };
    let tools = functions.iter().map(|function| request::tool(function, category.language));
    let tools = tools.collect::<Option<_>>().ok_or_else(|| lacks("function"))?;
    let truth = truths.remove(&id);
    if category.check.has_truth() && truth.is_none() {
        return Err(BenchmarkError(say!(
            "{path}, line {line}: {id} has no answer in {ANSWERS}/{file}",
            file = category.file()
        )));
    }
    let mut source = Map::new();
    source.insert("function".to_owned(), functions.into());
    source.insert("ground_truth".to_owned(), truth.unwrap_or_default());
    Ok(Item {
        groups: vec![category.part.to_owned(), category.name.to_owned()],
        request: crate::Request { messages, tools },
        source: Value::Object(source),
        id,
    })
}

fn truths(
    pack: &dyn Files,
    folder: &str,
    category: Category,
) -> Result<HashMap<String, Value>, BenchmarkError> {
    let path = format!("{folder}{ANSWERS}/{}", category.file());
    let mut truths = HashMap::new();
    for (line, mut value) in lines(pack, &path)? {
        let id = value.get("id").and_then(Value::as_str).map(str::to_owned);
        let truth = value.get_mut("ground_truth").map(Value::take);
        let (Some(id), Some(truth @ Value::Array(_))) = (id, truth) else {
            return Err(BenchmarkError(say!("{path}, line {line}: lacks `id` or `ground_truth`")));
        };
        truths.insert(id, truth);
    }
    Ok(truths)
}

/// JSON values of a file with one value per line, each with its line number. Empty lines are
/// skipped.
pub(super) fn lines(pack: &dyn Files, path: &str) -> Result<Vec<(usize, Value)>, BenchmarkError> {
    let bytes = pack.read(path).map_err(|error| BenchmarkError(say!("{path}: {error}")))?;
    let text = text_file::decode(bytes).map_err(|why| BenchmarkError(say!("{path}: {why}")))?;
    let lines = text.split('\n').enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(at, line)| match serde_json::from_str(line) {
            Ok(value) => Ok((at + 1, value)),
            Err(error) => {
                Err(BenchmarkError(say!("{path}, line {line}: is not JSON ({error})", line = at + 1)))
            }
        })
        .collect()
}
