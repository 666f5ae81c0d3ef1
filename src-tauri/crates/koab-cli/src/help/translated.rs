//! Help texts in other languages. `help/ko.json` has the Korean of each English text.

use clap::builder::StyledStr;
use koab_core::sentence::Language;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The files by the tag of their language. A text that a file lacks stays English.
const FILES: [(&str, &str); 1] = [("ko", include_str!("../../help/ko.json"))];

/// From English texts to translations.
type Texts = HashMap<String, String>;

static TEXTS: LazyLock<HashMap<&str, Texts>> = LazyLock::new(|| {
    let read = |file| serde_json::from_str(file).expect("a file of help texts is JSON, which a test shows");
    FILES.iter().map(|(tag, file)| (*tag, read(file))).collect()
});

/// Translations of a language; `None` if it has none.
pub(super) fn texts(lang: Language) -> Option<&'static Texts> {
    TEXTS.get(lang.tag())
}

/// A command, with all commands below it, whose texts are translated.
pub(super) fn command(command: clap::Command, texts: &'static Texts) -> clap::Command {
    let about = command.get_about().and_then(|text| translated(text, texts));
    let after = command.get_after_help().map(|text| example(text, texts));
    let mut command = command.subcommand_help_heading(heading("Commands", texts)).help_template(TEMPLATE);
    if let Some(about) = about {
        command = command.about(about);
    }
    if let Some(after) = after {
        command = command.after_help(after);
    }
    command.mut_args(|arg| argument(arg, texts)).mut_subcommands(|below| self::command(below, texts))
}

/// Template of a command's help, as clap's own, with a heading for each part.
const TEMPLATE: &str = "{about-with-newline}\n{usage-heading} {usage}\n\n{all-args}{after-help}";

fn argument(arg: clap::Arg, texts: &'static Texts) -> clap::Arg {
    let help = arg.get_help().and_then(|text| translated(text, texts));
    let own = if arg.is_positional() { "Arguments" } else { "Options" };
    let heading = heading(arg.get_help_heading().unwrap_or(own), texts);
    let arg = arg.help_heading(heading);
    match help {
        Some(help) => arg.help(help),
        None => arg,
    }
}

/// A heading in the language; `None`, which is clap's own, if it has no translation.
fn heading(english: &str, texts: &'static Texts) -> Option<&'static str> {
    texts.get(english).map(String::as_str)
}

fn translated(text: &StyledStr, texts: &'static Texts) -> Option<&'static str> {
    texts.get(&text.to_string()).map(String::as_str)
}

/// The examples below a help, which are commands, with their heading translated.
fn example(text: &StyledStr, texts: &'static Texts) -> String {
    let text = text.to_string();
    match (text.split_once(":\n"), texts.get("Example")) {
        (Some(("Example" | "Examples", commands)), Some(heading)) => format!("{heading}:\n{commands}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::CommandFactory as _;
    use std::collections::BTreeSet;

    /// Commands whose options are translated as well: those that a newcomer meets.
    const WITH_OPTIONS: &[&str] =
        &["run", "score", "compare", "import", "report", "models", "serve", "show", "runs"];

    /// Collects the texts of a command and of those below it, and those that need a translation.
    fn collect(
        command: &clap::Command,
        has_options: bool,
        all: &mut BTreeSet<String>,
        needed: &mut BTreeSet<String>,
    ) {
        let is_hidden = command.is_hide_set();
        if let Some(about) = command.get_about().map(ToString::to_string) {
            all.insert(about.clone());
            needed.extend((!is_hidden).then_some(about));
        }
        for arg in command.get_arguments() {
            let heading = arg.get_help_heading().map(str::to_owned);
            let help =
                arg.get_help().map(ToString::to_string).filter(|help| help.chars().any(char::is_alphabetic));
            all.extend(heading.iter().chain(&help).cloned());
            if has_options && !is_hidden && !arg.is_hide_set() {
                needed.extend(heading.into_iter().chain(help));
            }
        }
        for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
            let is_first = command.get_name() == "koab" && WITH_OPTIONS.contains(&below.get_name());
            collect(below, has_options || is_first, all, needed);
        }
    }

    #[test]
    fn the_help_has_every_translation_and_no_other() {
        let mut all: BTreeSet<String> =
            ["Arguments", "Options", "Commands", "Example"].map(str::to_owned).into();
        let mut needed = all.clone();
        collect(&Cli::command(), false, &mut all, &mut needed);
        for (tag, file) in FILES {
            let texts: Texts = serde_json::from_str(file).expect("JSON");
            let missing: Vec<&String> = needed.iter().filter(|text| !texts.contains_key(*text)).collect();
            let dead: Vec<&String> = texts.keys().filter(|text| !all.contains(*text)).collect();
            assert!(missing.is_empty(), "{tag} lacks {}: {missing:#?}", missing.len());
            assert!(dead.is_empty(), "{tag} has texts that no help has: {dead:#?}");
            let keys: Vec<&str> =
                file.lines().filter_map(|line| line.trim().split("\": \"").next()).collect();
            let keys = &keys[1..keys.len() - 1];
            assert!(keys.is_sorted(), "the lines are sorted");
        }
    }

    #[test]
    fn the_help_of_a_command_speaks_korean() {
        let korean = super::texts(Language::KOREAN).expect("a file");
        let mut root = super::command(Cli::command(), korean);
        root.build();
        let run = root.find_subcommand_mut("run").expect("a command");
        let help = run.render_long_help().to_string();
        for text in
            ["벤치마크를 실행하고 로그를 씁니다", "예:\n", "모든 명령의 옵션:", "시도마다 모델 턴의 최대 수"]
        {
            assert!(help.contains(text), "{text}\n{help}");
        }
        let report = root.find_subcommand_mut("report").expect("a command");
        let help = report.render_long_help().to_string();
        assert!(help.contains("명령:\n") && help.contains("모든 보고서"), "{help}");
    }
}
