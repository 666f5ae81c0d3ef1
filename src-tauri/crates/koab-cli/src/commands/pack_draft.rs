//! `koab pack export`, `lint`, `draft`, `drafts` and `save`: handles the user's own packs on the
//! command line. Only the window can edit them.

use crate::CommandEnd;
use crate::output::{Output, columns};
use crate::render::findings;
use koab_api::shown::bytes;
use koab_api::{Api, DraftFrom, DraftList, DraftRequest, DraftSaved, PackLint, Problem, WireError};
use koab_core::sentence::Language;
use koab_core::sentence::Sentence;
use koab_core::{say, text};
use serde_json::json;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;

pub(super) fn export(
    api: &Api,
    name: Option<&str>,
    file: Option<PathBuf>,
    force: bool,
    output: Output,
) -> Result<(), WireError> {
    let archive = api.packs.archive(name)?;
    let path = file.unwrap_or_else(|| PathBuf::from(&archive.file_name));
    let mut options = OpenOptions::new();
    options.write(true).create_new(!force).create(force).truncate(force);
    let result = options.open(&path).and_then(|mut file| file.write_all(&archive.bytes));
    result.map_err(|error| {
        let path = path.display();
        match error.kind() {
            ErrorKind::AlreadyExists => WireError::bad_request(say!(
                "{path} exists already; give another file with --output, or replace it with --force"
            )),
            _ => WireError::storage(say!("cannot write {path}: {error}")),
        }
    })?;
    let result =
        json!({"pack": archive.label, "file": path.display().to_string(), "bytes": archive.bytes.len()});
    output.result(&result, || {
        format!("{} → {} ({})", archive.label, path.display(), bytes(archive.bytes.len() as u64))
    });
    Ok(())
}

/// Lints a pack. The command fails if a fault makes tasks, tools or responses unusable.
pub(super) fn lint(api: &Api, pack: Option<&str>, output: Output) -> Result<CommandEnd, WireError> {
    let lint = api.packs.lint(pack)?;
    output.result(&lint, || linted(&lint, output.lang));
    let refused = lint.problems.iter().filter(|problem| problem.is_error()).count();
    if refused > 0 {
        return Err(WireError::bad_file(say!(
            "{} has {refused} faults for which tasks, tools or responses are left out",
            lint.label
        )));
    }
    Ok(CommandEnd::Done)
}

fn linted(lint: &PackLint, lang: Language) -> String {
    let weight = |severity| findings::weight(severity, lang);
    let problem_lines = findings::lines(&lint.problems, lang, weight, |_| String::new());
    let mut lines = vec![lint.label.clone()];
    lines.extend(problem_lines.lines().map(str::to_owned));
    if lint.problems.is_empty() {
        lines.push(lang.text(text!("  nothing is wrong with its data")).to_owned());
    }
    lines.push(lang.say(&say!(
        "  {answered} of {calls} calls of the golden paths are cached",
        answered = lint.answered,
        calls = lint.calls
    )));
    for call in &lint.missing {
        lines.push(format!("    {} {call}", lang.text(text!("not recorded:"))));
    }
    lines.join("\n")
}

pub(super) fn drafts(api: &Api, output: Output) -> Result<(), WireError> {
    let list = api.packs.drafts_list()?;
    output.result(&list, || listed(&list, output.lang));
    Ok(())
}

fn listed(list: &DraftList, lang: Language) -> String {
    if list.drafts.is_empty() && list.own.is_empty() {
        return lang
            .text(text!("there is no pack of your own; begin one with `koab pack draft NAME` or in the window's pack editor"))
            .to_owned();
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    for draft in &list.drafts {
        let changed = if draft.changed {
            lang.text(text!("draft, not saved"))
        } else {
            lang.text(text!("draft, nothing changed"))
        };
        rows.push(vec![
            draft.name.clone(),
            changed.to_owned(),
            draft.tasks.to_string(),
            draft.tools.to_string(),
            draft.changed_at.replace('T', " ").replace('Z', " UTC"),
        ]);
    }
    for pack in &list.own {
        for version in pack.versions.iter().filter(|version| version.installed) {
            rows.push(vec![
                format!("{}@{}", pack.name, version.version),
                lang.text(text!("installed")).to_owned(),
                String::new(),
                String::new(),
                version.saved_at.replace('T', " ").replace('Z', " UTC"),
            ]);
        }
    }
    let header = [
        lang.text(text!("pack")),
        lang.text(text!("state")),
        lang.text(text!("tasks")),
        lang.text(text!("tools")),
        lang.text(text!("when")),
    ];
    columns(&header, &rows, lang)
}

pub(super) fn begin(
    api: &Api,
    name: String,
    from: Option<String>,
    tasks_from: Option<&Option<PathBuf>>,
    output: Output,
) -> Result<(), WireError> {
    let instructions = match tasks_from {
        Some(Some(file)) => super::pack_record::read(file)?,
        _ => String::new(),
    };
    let draft = match (from, tasks_from) {
        (Some(pack), Some(_)) => {
            let instructions: Vec<String> = instructions.lines().map(str::to_owned).collect();
            api.recorder.draft_of_sessions(&pack, name, &instructions)?
        }
        (from, _) => {
            let from = from.map_or(DraftFrom::Example, |pack| DraftFrom::Copy { pack });
            api.packs.draft_create(&DraftRequest { name, from })?
        }
    };
    output.result(&draft, || {
        output.lang.say(&say!(
            "{name}: a draft with {tasks} tasks and {tools} tools",
            name = draft.name,
            tasks = draft.tasks,
            tools = draft.tools
        ))
    });
    Ok(())
}

pub(super) fn save(api: &Api, name: &str, output: Output) -> Result<(), WireError> {
    let review = api.packs.draft_review(name)?;
    let saved = api.packs.draft_save(name, review.revision)?;
    let refuse = |why: Sentence| Err(WireError::bad_request(why));
    match &saved {
        DraftSaved::Saved { pack, sha256 } => {
            output.result(&saved, || {
                let word = output.lang.text(text!("saved"));
                format!("{word}: {}@{} (SHA-256 {sha256})", pack.name, pack.version)
            });
            Ok(())
        }
        DraftSaved::Same { version } => {
            refuse(say!("the draft is the same as version {version}; nothing was saved"))
        }
        DraftSaved::Stale { .. } => refuse(say!("the draft was changed meanwhile; try again")),
        DraftSaved::Refused { findings } => {
            let errors = findings.iter().filter(|finding| finding.problem.is_error());
            let lines = errors.map(|finding| {
                let name = match finding.name.as_str() {
                    "" => "-",
                    name => name,
                };
                let problem = Problem { task: None, ..finding.problem.clone() };
                say!("{name}: {why}", why = problem.located())
            });
            let why = Sentence::joined(lines, "; ");
            refuse(say!("the draft cannot be saved: {why}"))
        }
    }
}
