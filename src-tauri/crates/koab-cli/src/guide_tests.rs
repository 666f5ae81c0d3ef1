//! Checks that the command line accepts every command in the guide and the README.

use crate::args::Cli;
use clap::CommandFactory as _;
use clap::error::ErrorKind;
use std::fs;
use std::path::{Path, PathBuf};

/// A command in a file. `whole` means that no arguments are omitted.
struct GuideCommand {
    file: PathBuf,
    words: Vec<String>,
    whole: bool,
}

fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let mut files = vec![root.join("README.md")];
    for folder in ["docs/guide/en", "docs/guide/ko"] {
        let pages = fs::read_dir(root.join(folder)).expect("the guide");
        files.extend(pages.map(|page| page.expect("a page").path()));
    }
    files
}

/// Splits a line into words like a shell, as far as the guide needs it: with double quotes and
/// comments after `#`.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() && !rest.starts_with('#') {
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    words
}

/// Commands of a text: whole ones in its code blocks, and those in sentences, which may omit
/// arguments.
fn commands(file: &Path, text: &str) -> Vec<GuideCommand> {
    let mut commands = Vec::new();
    let mut take = |command: &str, whole: bool| {
        let words = words(command);
        if words.first().is_some_and(|word| word == "koab") && words.len() > 1 {
            let file = file.to_owned();
            commands.push(GuideCommand { file, words, whole });
        }
    };
    for (index, part) in text.split("```").enumerate() {
        if index % 2 == 1 {
            for line in part.lines() {
                line.split("&&").for_each(|command| take(command, true));
            }
        } else {
            // A command in a sentence may continue in the next line.
            let part = part.replace('\n', " ");
            let spans = part.split('`').skip(1).step_by(2);
            spans.for_each(|span| take(span, false));
        }
    }
    commands
}

/// Error of the command line for these words.
fn refusal(words: &[String], whole: bool) -> Option<String> {
    if crate::help::asks_for_all(&words[1..]) {
        return None;
    }
    let error = Cli::command().try_get_matches_from(words).err()?;
    let is_help = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    let unfinished = matches!(
        error.kind(),
        ErrorKind::MissingRequiredArgument
            | ErrorKind::MissingSubcommand
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    );
    (!is_help && (whole || !unfinished)).then(|| error.to_string())
}

#[test]
fn every_command_of_the_guide_is_taken() {
    let all: Vec<GuideCommand> =
        files().iter().flat_map(|file| commands(file, &fs::read_to_string(file).expect("UTF-8"))).collect();
    assert!(all.len() > 100, "only {} commands were found", all.len());
    let errors: Vec<String> = all
        .iter()
        .filter_map(|one| {
            let why = refusal(&one.words, one.whole)?;
            Some(format!("{}: {}\n{why}", one.file.display(), one.words.join(" ")))
        })
        .collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn a_command_that_is_not_there_is_found() {
    let commands = commands(
        Path::new("a.md"),
        "`koab run --nonsense x` and `koab report\nshow`\n```\nkoab nothing\nkoab report show   # no id\n```\n",
    );
    let refusals: Vec<bool> = commands.iter().map(|one| refusal(&one.words, one.whole).is_some()).collect();
    assert_eq!(refusals, [true, false, true, true]);
}
