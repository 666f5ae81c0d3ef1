//! Help texts: the first help with the commands that a newcomer needs, and all commands in groups.

mod translated;

use crate::args::Cli;
use crate::output::Output;
use clap::CommandFactory as _;
use koab_core::sentence::Language;
use koab_core::text;
use std::fmt::Write as _;

/// Width of the column of names.
const NAME_COLUMNS: usize = 10;

/// The commands of the first help, each with what it is for.
fn first_commands() -> [(&'static str, &'static str); 7] {
    [
        ("run", text!("Run the benchmark against a model")),
        ("score", text!("Score a run, with judge models or without")),
        ("compare", text!("Compare reports: differences, significance and ranks")),
        ("import", text!("Import reports, run logs and packs from files")),
        ("report", text!("List, show and export reports")),
        ("models", text!("Connect, fetch, list and test models")),
        ("serve", text!("Open the window's pages in a browser")),
    ]
}

/// All commands, in groups by what they are for.
fn groups() -> [(&'static str, &'static [&'static str]); 7] {
    [
        (text!("Measure"), &["run", "score", "gate", "sweep", "scenario"]),
        (text!("Look at results"), &["show", "report", "find", "compare", "runs", "trash", "open", "serve"]),
        (text!("Take in and hand on"), &["import", "submit"]),
        (text!("Models and keys"), &["models", "keys"]),
        (text!("Judges"), &["judge"]),
        (text!("Tasks and agents"), &["pack", "cache", "agents", "mcp"]),
        (text!("This computer"), &["doctor", "offline", "egress"]),
    ]
}

/// The commands as they are parsed, with clap's own help texts.
pub(crate) fn tree() -> clap::Command {
    Cli::command()
}

/// The commands with the help texts that a user sees.
pub(crate) fn command(lang: Language) -> clap::Command {
    let tree = match translated::texts(lang) {
        Some(texts) => translated::command(tree(), texts),
        None => tree(),
    };
    tree.help_template(first_template(lang))
}

/// Template of the help of `koab` itself.
fn first_template(lang: Language) -> String {
    let mut commands = String::new();
    for (name, purpose) in first_commands() {
        let _ = writeln!(commands, "  {name:NAME_COLUMNS$}{}", lang.text(purpose));
    }
    format!(
        "{{about-with-newline}}\n{}: {{usage}}\n\n{}:\n{commands}\n{}\n\n{{options}}\n",
        lang.text(text!("Usage", "of a command")),
        lang.text(text!("Commands")),
        lang.text(text!("All commands: koab help --all\nOptions and an example of one: koab help COMMAND")),
    )
}

/// Whether the words ask for all commands: `koab help --all`.
pub(crate) fn asks_for_all(words: &[String]) -> bool {
    let mut plain = words.iter().filter(|word| !word.starts_with('-'));
    let is_help =
        plain.next().is_some_and(|word| word == "help") || words.iter().any(|word| word == "--help");
    is_help && words.iter().any(|word| word == "--all")
}

/// The language that the words ask for with `--lang`.
pub(crate) fn asked_language(words: &[String]) -> Option<Language> {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let tag = match word.strip_prefix("--lang") {
            Some("") => words.next().map(String::as_str),
            Some(rest) => rest.strip_prefix('='),
            None => None,
        };
        if let Some(language) = tag.and_then(|tag| tag.parse().ok()) {
            return Some(language);
        }
    }
    None
}

/// Prints all commands in their groups.
pub(crate) fn print_all(output: Output) {
    output.text(&all(output.lang));
}

/// All commands in their groups, each with its own commands.
fn all(lang: Language) -> String {
    let root = command(lang);
    let mut text = String::new();
    for (title, names) in groups() {
        let _ = writeln!(text, "{}:", lang.text(title));
        for command in names.iter().filter_map(|name| root.find_subcommand(name)) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {:NAME_COLUMNS$}{about}", command.get_name());
            let below = command.get_subcommands().filter(|below| !below.is_hide_set());
            let below: Vec<&str> = below.map(clap::Command::get_name).collect();
            if !below.is_empty() {
                let _ = writeln!(text, "  {:NAME_COLUMNS$}  {}", "", below.join(", "));
            }
        }
        text.push('\n');
    }
    text.push_str(lang.text(text!("Options and an example of one: koab help COMMAND\n")));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_first_help_has_seven_commands_in_one_line_each() {
        for lang in Language::all() {
            let help = command(lang).render_long_help().to_string();
            let (_, below) = help.split_once(&format!("{}:\n", lang.text("Commands"))).expect("commands");
            let lines: Vec<&str> = below.lines().take_while(|line| !line.is_empty()).collect();
            let names: Vec<&str> = lines.iter().filter_map(|line| line.split_whitespace().next()).collect();
            assert_eq!(names, ["run", "score", "compare", "import", "report", "models", "serve"], "{help}");
            assert!(help.contains("koab help --all"), "{help}");
            assert!(help.contains("--lang <LANG>"), "{help}");
            assert!(!help.contains("evaluate"), "{help}");
        }
    }

    #[test]
    fn every_command_is_in_one_group() {
        let grouped: Vec<&str> = groups().iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let root = tree();
        let known: BTreeSet<&str> = root.get_subcommands().map(clap::Command::get_name).collect();
        assert_eq!(grouped.iter().copied().collect::<BTreeSet<_>>(), known);
        assert_eq!(grouped.len(), known.len(), "a command is in two groups");
        let text = all(Language::ENGLISH);
        for name in known {
            assert!(text.contains(&format!("\n  {name} ")), "{name}\n{text}");
        }
        assert!(text.contains("fork-restore"), "{text}");
    }

    #[test]
    fn the_language_and_the_wish_for_all_are_read_before_the_rest() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(asked_language(&words("help --lang ko")), Some(Language::KOREAN));
        assert_eq!(asked_language(&words("--lang=ko report")), Some(Language::KOREAN));
        assert_eq!(asked_language(&words("report --lang xx")), None);
        assert!(asks_for_all(&words("help --all")) && asks_for_all(&words("--help --all")));
        assert!(!asks_for_all(&words("run --all")) && !asks_for_all(&words("help run")));
    }
}
