//! Parses one line of a scenario file to an [`Instance`].

use super::instance::{FileEdits, Instance, Network, TemplateCopy};
use crate::benchmark::{Benchmark, folder_name, inside};
use koab_core::say;
use koab_core::sentence::Sentence;
use serde_json::{Map, Value};
use std::path::PathBuf;

/// Target name of a template that is a single file. Substitutions without a file name apply to this
/// file.
const SCENARIO: &str = "scenario.py";

/// Parses a line of a scenario file. The error lists all problems, one sentence each.
pub(super) fn instance(text: &str, line: usize, benchmark: &Benchmark) -> Result<Instance, Vec<Sentence>> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        // The library's position says "line 1", which would be mistaken for the line of the file.
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or(&what).to_owned();
        vec![say!("is not JSON: {what} at column {}", error.column())]
    })?;
    let Value::Object(object) = value else {
        return Err(vec![say!("is {} where an object belongs", kind(&value))]);
    };
    let mut problems = Vec::new();
    let mut keep = |why: Sentence| problems.push(why);
    let id = id(&object).map_err(&mut keep);
    let template = template(&object, benchmark).map_err(&mut keep);
    let substitutions = substitutions(&object).map_err(&mut keep);
    let network = network(&object).map_err(&mut keep);
    let timeout_s = timeout(&object).map_err(&mut keep);
    let secrets = secrets(&object).map_err(&mut keep);
    if let (Ok(id), Ok(template), Ok(substitutions), Ok(network), Ok(timeout_s), Ok(secrets)) =
        (id, template, substitutions, network, timeout_s, secrets)
    {
        return Ok(Instance {
            id,
            line,
            template,
            substitutions,
            network,
            timeout_s,
            secrets,
            benchmark: benchmark.clone(),
        });
    }
    Err(problems)
}

fn id(object: &Map<String, Value>) -> Result<String, Sentence> {
    match object.get("id") {
        Some(Value::String(id)) => {
            folder_name(id).map_err(|why| say!("the id {id:?} {why}"))?;
            Ok(id.clone())
        }
        Some(other) => Err(say!(
            "`id` is {}; write it as a string, as in \"{}\"",
            kind(other),
            if other.is_number() { other.to_string() } else { "task_1".to_owned() }
        )),
        None => Err(say!("has no `id`")),
    }
}

fn template(object: &Map<String, Value>, benchmark: &Benchmark) -> Result<Vec<TemplateCopy>, Sentence> {
    match object.get("template") {
        Some(Value::String(path)) => {
            let source = benchmark.resolve(path)?;
            let target = if source.is_dir() { "" } else { SCENARIO };
            let target = PathBuf::from(target);
            Ok(vec![TemplateCopy { source, target }])
        }
        Some(Value::Array(items)) => items.iter().map(|item| list_item(item, benchmark)).collect(),
        Some(other) => Err(say!("`template` is {} where a path or a list of paths belongs", kind(other))),
        None => Err(say!("has no `template`")),
    }
}

/// Parses an element of a list of templates: a path, or a path and its target. Further elements are
/// ignored.
fn list_item(item: &Value, benchmark: &Benchmark) -> Result<TemplateCopy, Sentence> {
    let (source, target) = match item {
        Value::String(source) => (source.as_str(), ""),
        Value::Array(pair) => match pair.as_slice() {
            [Value::String(source)] => (source.as_str(), ""),
            [Value::String(source), Value::String(target), ..] => (source.as_str(), target.as_str()),
            _ => return Err(say!("the template {item} is not a pair of path and target")),
        },
        other => return Err(say!("the template {other} is neither a path nor a pair")),
    };
    Ok(TemplateCopy {
        source: benchmark.resolve(source)?,
        target: inside(target).map_err(|why| say!("the template's target {target:?} {why}"))?,
    })
}

fn substitutions(object: &Map<String, Value>) -> Result<Vec<FileEdits>, Sentence> {
    let (key, value) = ["substitutions", "values"]
        .iter()
        .find_map(|key| Some((*key, object.get(*key)?)))
        .ok_or_else(|| say!("has no `substitutions`; write \"substitutions\": {{}} for none"))?;
    let Value::Object(edits) = value else {
        return Err(say!("`{key}` is {} where an object belongs", kind(value)));
    };
    if edits.values().next().is_some_and(Value::is_string) {
        return Ok(vec![FileEdits { file: PathBuf::from(SCENARIO), pairs: pairs(key, SCENARIO, edits)? }]);
    }
    edits.iter().map(|(file, edits)| file_edits(key, file, edits)).collect()
}

fn file_edits(key: &str, file: &str, edits: &Value) -> Result<FileEdits, Sentence> {
    let path = inside(file).map_err(|why| say!("the file {file:?} in `{key}` {why}"))?;
    let Value::Object(edits) = edits else {
        return Err(say!(
            "`{key}` mixes files and find strings, or {file:?} has {} instead of an object of find strings",
            kind(edits)
        ));
    };
    Ok(FileEdits { file: path, pairs: pairs(key, file, edits)? })
}

fn pairs(key: &str, file: &str, edits: &Map<String, Value>) -> Result<Vec<(String, String)>, Sentence> {
    let pair = |(find, replacement): (&String, &Value)| match replacement {
        Value::String(replacement) => Ok((find.clone(), replacement.clone())),
        other => Err(say!(
            "the replacement of {find:?} for {file} in `{key}` is {} where a string belongs",
            kind(other)
        )),
    };
    edits.iter().map(pair).collect()
}

fn network(object: &Map<String, Value>) -> Result<Option<Network>, Sentence> {
    let Some(value) = object.get("network") else {
        return Ok(None);
    };
    serde_json::from_value(value.clone())
        .map(Some)
        .map_err(|_| say!("`network` is {value} where \"none\" or \"bridge\" belongs"))
}

fn timeout(object: &Map<String, Value>) -> Result<Option<u64>, Sentence> {
    match object.get("timeout_s") {
        None => Ok(None),
        Some(value) => match value.as_u64() {
            Some(seconds) if seconds > 0 => Ok(Some(seconds)),
            _ => Err(say!("`timeout_s` is {value} where whole seconds from 1 belong")),
        },
    }
}

fn secrets(object: &Map<String, Value>) -> Result<Vec<String>, Sentence> {
    let Some(value) = object.get("secrets") else {
        return Ok(Vec::new());
    };
    let list = value.as_array().ok_or_else(|| say!("`secrets` is not a list of names"))?;
    let name = |name: &Value| match name.as_str() {
        Some(name) if is_variable(name) => Ok(name.to_owned()),
        _ => Err(say!("`secrets` names {name}, which is not an environment variable's name")),
    };
    list.iter().map(name).collect()
}

fn is_variable(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn kind(value: &Value) -> Sentence {
    match value {
        Value::Null => "null".into(),
        Value::Bool(_) => say!("true or false"),
        Value::Number(_) => say!("a number"),
        Value::String(_) => say!("a string"),
        Value::Array(_) => say!("a list"),
        Value::Object(_) => say!("an object"),
    }
}
