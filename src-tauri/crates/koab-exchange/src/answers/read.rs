//! Readers of JSONL files of replies. One bad line fails the whole file.

use koab_benchmarks::Answer;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_workspace::WireError;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// One line of a file of replies.
#[derive(Debug, Deserialize)]
pub(super) struct AnswerLine {
    /// File that contains the line.
    #[serde(skip)]
    pub(super) file: PathBuf,
    /// Line number, from 1.
    #[serde(skip)]
    pub(super) line: usize,
    pub(super) id: String,
    pub(super) output: Answer,
}

#[derive(Deserialize)]
struct ReplyLine {
    id: String,
    replies: Vec<String>,
}

/// File name of the replies that each trial of a scenario writes.
const TRIAL_ANSWERS: &str = "answers.jsonl";

/// Reads all replies of a file, or of a results folder of scenarios.
pub(super) fn answers(path: &Path) -> Result<Vec<AnswerLine>, WireError> {
    let mut answers = Vec::new();
    for file in files(path)? {
        let form = say!(
            "a line has `id` and `output` with `content` and `tool_calls`, each of them with `name` and `arguments` as text"
        );
        let lines: Vec<(usize, AnswerLine)> = lines(&file, &form)?;
        let placed = |(line, answer)| AnswerLine { file: file.clone(), line, ..answer };
        answers.extend(lines.into_iter().map(placed));
    }
    Ok(answers)
}

/// Files with replies at a path: the path itself, or the file of each trial below it. `koab
/// scenario run` writes trials to `<instance>/<repetition>`.
fn files(path: &Path) -> Result<Vec<PathBuf>, WireError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for instance in folders(path)? {
        for trial in folders(&instance)? {
            let file = trial.join(TRIAL_ANSWERS);
            if !file.is_file() {
                return Err(bad_file(say!(
                    "{file} is missing, so this trial did not finish; see its console_log.txt, and run it again with --rerun-failed",
                    file = file.display()
                )));
            }
            files.push(file);
        }
    }
    if files.is_empty() {
        return Err(bad_file(say!(
            "{path} is a folder without results of scenarios; name a file of replies, or the folder that `koab scenario run` wrote",
            path = path.display()
        )));
    }
    Ok(files)
}

/// Subfolders sorted by name, without hidden folders.
fn folders(path: &Path) -> Result<Vec<PathBuf>, WireError> {
    let entries = std::fs::read_dir(path)
        .map_err(|error| bad_file(say!("{file} cannot be read: {error}", file = path.display())))?;
    let entries = entries.filter_map(Result::ok);
    let visible = entries.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'));
    let mut folders: Vec<PathBuf> = visible.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    Ok(folders)
}

/// Judges' replies by the item's id.
pub(super) fn replies(
    file: &Path,
    is_known: impl Fn(&str) -> bool,
    pack: &str,
) -> Result<HashMap<String, Vec<String>>, WireError> {
    let form = say!("a line has `id` and `replies`, a list of texts");
    let mut replies_by_id = HashMap::new();
    for (line, ReplyLine { id, replies }) in lines(file, &form)? {
        let short_id = short(&id);
        if !is_known(&id) {
            return Err(refused(file, line, &say!("pack {pack} has no item {shown}", shown = short_id)));
        }
        if replies_by_id.insert(id, replies).is_some() {
            return Err(refused(
                file,
                line,
                &say!("{shown} is in an earlier line already", shown = short_id),
            ));
        }
    }
    Ok(replies_by_id)
}

/// Parses all lines that are not blank. Returns each value with its line number.
fn lines<T: DeserializeOwned>(file: &Path, form: &Sentence) -> Result<Vec<(usize, T)>, WireError> {
    let content = std::fs::read(file).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            WireError::not_found(say!("{file} is not there; check the path", file = file.display()))
        }
        _ => bad_file(say!("{file} cannot be read: {error}", file = file.display())),
    })?;
    let mut values = Vec::new();
    for (at, line) in content.split(|byte| *byte == b'\n').enumerate() {
        let line = if at == 0 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
        if line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice(line) {
            Ok(value) => values.push((at + 1, value)),
            Err(error) if error.is_data() => {
                let why = reason(&error);
                return Err(refused(file, at + 1, &say!("{why}; {form}")));
            }
            Err(error) => {
                let why = reason(&error);
                return Err(refused(file, at + 1, &say!("is not JSON ({why}); {form}")));
            }
        }
    }
    if values.is_empty() {
        return Err(bad_file(say!("{file} has no line; {form}", file = file.display())));
    }
    Ok(values)
}

/// Text from a file, cut to 80 characters for use in a sentence.
pub(super) fn short(text: &str) -> String {
    const MAX_CHARS: usize = 80;
    let short: String = text.chars().take(MAX_CHARS).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}

/// Text of a JSON error without its line and column. serde counts them within one line of the file,
/// so a reader would mistake them for a place in the file.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let short = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text);
    self::short(short)
}

fn refused(file: &Path, line: usize, why: &Sentence) -> WireError {
    bad_file(say!("{file}, line {line}: {why}", file = file.display()))
}

fn bad_file(why: Sentence) -> WireError {
    WireError::bad_file(why)
}
