//! Answers to words that are no command or option: the right ones that may be meant.
//!
//! clap compares a wrong word only with its neighbours, letter by letter, and so answered `--judge`
//! with `--no-judge`. Here the meaning comes first ([`synonyms`]), then the same word anywhere in
//! the tree of commands, and then few wrong letters.

mod synonyms;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use koab_core::nearest::nearest;
use koab_core::say;
use koab_core::sentence::Sentence;
use strsim::osa_distance;

/// Maximum number of commands in an answer.
const MAX_ANSWERS: usize = 4;

/// The sentence for a wrong command or option, such as "there is no command `koab imprt`; did you
/// mean `koab import`?". `None` for errors of other kinds, which clap's own text explains.
pub(crate) fn answer(error: &clap::Error, words: &[String]) -> Option<Sentence> {
    let wrong = match (error.kind(), context(error)) {
        (ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument, Some(wrong)) => wrong,
        _ => return None,
    };
    let mut root = crate::help::tree();
    root.build();
    let (path, command) = place(&root, words);
    if wrong.starts_with('-') {
        return Some(option(&root, command, &path, &wrong));
    }
    let has_below = command.get_subcommands().any(|below| below.get_name() != "help");
    if has_below {
        let line = [path.as_slice(), &[wrong.as_str()]].concat().join(" ");
        let answers = commands(&root, &path, &wrong);
        return Some(match listed(&answers).as_str() {
            "" => say!("there is no command `koab {line}`; `koab help --all` lists all commands"),
            answers => say!("there is no command `koab {line}`; did you mean {answers}?"),
        });
    }
    extra(&root, &path, &wrong)
}

/// The wrong word in an error of clap.
fn context(error: &clap::Error) -> Option<String> {
    let kinds = [ContextKind::InvalidSubcommand, ContextKind::InvalidArg];
    kinds.into_iter().find_map(|kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.split_whitespace().next()?.to_owned()),
        _ => None,
    })
}

/// The innermost command that the words name, with its path.
fn place<'a>(root: &'a clap::Command, words: &[String]) -> (Vec<&'a str>, &'a clap::Command) {
    let (mut path, mut command) = (Vec::new(), root);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word.starts_with('-') {
            let is_value_next = root.get_arguments().any(|arg| {
                arg.get_long().is_some_and(|long| word.strip_prefix("--") == Some(long))
                    && arg.get_action().takes_values()
            });
            if is_value_next {
                words.next();
            }
            continue;
        }
        match command.find_subcommand(word) {
            Some(below) => {
                path.push(below.get_name());
                command = below;
            }
            None => break,
        }
    }
    (path, command)
}

/// Commands that a wrong word below `path` may mean, each as `report list`.
fn commands(root: &clap::Command, path: &[&str], wrong: &str) -> Vec<String> {
    let wrong = wrong.to_lowercase();
    let command = path.iter().try_fold(root, |command, name| command.find_subcommand(name));
    let siblings: Vec<&clap::Command> =
        command.into_iter().flat_map(clap::Command::get_subcommands).filter(is_own).collect();
    let below = |name: &str| [path, &[name]].concat().join(" ");
    let meant = synonyms::commands(path, &wrong);
    if !meant.is_empty() {
        return meant;
    }
    for verb in synonyms::verbs(&wrong) {
        if !path.is_empty() && siblings.iter().any(|sibling| sibling.get_name() == verb) {
            return vec![below(verb)];
        }
    }
    let mut all = Vec::new();
    collect(root, &mut Vec::new(), &mut all);
    let same = all.iter().filter(|(_, names)| names.iter().any(|name| *name == wrong));
    let same: Vec<String> = same.map(|(path, _)| path.clone()).take(MAX_ANSWERS).collect();
    let near = nearest(&wrong, siblings.iter().flat_map(|sibling| names(sibling)));
    let mut near: Vec<String> = near
        .into_iter()
        .filter_map(|name| siblings.iter().find(|sibling| names(sibling).contains(&name)))
        .map(|sibling| below(sibling.get_name()))
        .collect();
    near.dedup();
    // A neighbour with one wrong letter is more likely than the same word far away.
    match (near.is_empty(), same.is_empty()) {
        (false, _) => near,
        (true, false) => same,
        (true, true) => {
            let last: Vec<&str> = all.iter().flat_map(|(_, names)| names.iter().copied()).collect();
            let near = nearest(&wrong, last);
            let paths = all.iter().filter(|(_, names)| names.iter().any(|name| near.contains(name)));
            paths.map(|(path, _)| path.clone()).take(MAX_ANSWERS).collect()
        }
    }
}

fn is_own(command: &&clap::Command) -> bool {
    command.get_name() != "help" && !command.is_hide_set()
}

/// Name and aliases of a command.
fn names(command: &clap::Command) -> Vec<&str> {
    std::iter::once(command.get_name()).chain(command.get_all_aliases()).collect()
}

/// Collects the paths of all commands below one, each with its name and aliases.
fn collect<'a>(command: &'a clap::Command, path: &mut Vec<&'a str>, into: &mut Vec<(String, Vec<&'a str>)>) {
    for below in command.get_subcommands().filter(is_own) {
        path.push(below.get_name());
        into.push((path.join(" "), names(below)));
        collect(below, path, into);
        path.pop();
    }
}

/// Answer to an option that a command does not have.
fn option(root: &clap::Command, command: &clap::Command, path: &[&str], wrong: &str) -> Sentence {
    let line = std::iter::once("koab").chain(path.iter().copied()).collect::<Vec<_>>().join(" ");
    let wrong = wrong.split('=').next().unwrap_or_default();
    let longs = |command: &clap::Command| -> Vec<String> {
        let args = command.get_arguments().filter(|arg| !arg.is_hide_set());
        let longs = args.flat_map(|arg| {
            arg.get_long_and_visible_aliases()
                .into_iter()
                .flatten()
                .chain(arg.get_all_aliases().into_iter().flatten())
        });
        longs.map(|long| format!("--{long}")).collect()
    };
    let own = longs(command);
    let meant = synonyms::options(wrong).into_iter().find(|meant| own.iter().any(|own| own == meant));
    let spelled = wrong.to_lowercase().replace('_', "-");
    let is_negative = |text: &str| text.starts_with("--no-");
    let near = || {
        let max_distance = (spelled.chars().count() / 4).max(1);
        // The opposite of what is asked for is never an answer.
        let candidates = own.iter().filter(|own| is_negative(own) == is_negative(&spelled));
        let ranked = candidates.map(|own| (osa_distance(own, &spelled), own));
        let best = ranked.filter(|(distance, _)| *distance <= max_distance).min();
        let beginning = || own.iter().find(|own| spelled.len() > 4 && own.starts_with(&spelled));
        best.map(|(_, own)| own).or_else(beginning).cloned()
    };
    if let Some(answer) = meant.map(str::to_owned).or_else(near) {
        return say!("`{line}` has no option `{wrong}`; did you mean `{answer}`?");
    }
    let mut all = Vec::new();
    collect(root, &mut Vec::new(), &mut all);
    let elsewhere = all.iter().filter(|(path, _)| {
        let mut words = path.split(' ');
        let command = words.try_fold(root, |command, name| command.find_subcommand(name));
        command.is_some_and(|command| longs(command).contains(&spelled))
    });
    let elsewhere: Vec<String> = elsewhere.map(|(path, _)| path.clone()).take(MAX_ANSWERS).collect();
    match listed(&elsewhere).as_str() {
        "" => say!("`{line}` has no option `{wrong}`; `{line} --help` lists its options"),
        commands => {
            say!(
                "`{line}` has no option `{wrong}`, which belongs to {commands}; `{line} --help` lists its options"
            )
        }
    }
}

/// Answer to a word behind a command that takes no further words.
fn extra(root: &clap::Command, path: &[&str], wrong: &str) -> Option<Sentence> {
    let line = path.join(" ");
    // `koab run list` means the noun, `koab runs list`.
    let plural = path.split_last().map(|(last, before)| [before, &[&*format!("{last}s")]].concat().join(" "));
    if let Some(plural) = plural {
        let command = plural.split(' ').try_fold(root, |command, name| command.find_subcommand(name));
        let mut verbs = std::iter::once(wrong).chain(synonyms::verbs(wrong));
        let verb = command.and_then(|command| verbs.find_map(|verb| command.find_subcommand(verb)));
        if let Some(verb) = verb {
            let answer = format!("{plural} {}", verb.get_name());
            return Some(say!("`koab {line}` takes no word `{wrong}`; did you mean `koab {answer}`?"));
        }
    }
    if path == ["run"] {
        let option = if wrong == "last" { "--resume" } else { "--model" };
        let answer = format!("koab run {option} {wrong}");
        return Some(say!("`koab {line}` takes no word `{wrong}`; did you mean `{answer}`?"));
    }
    Some(say!("`koab {line}` takes no word `{wrong}`; `koab {line} --help` shows what it takes"))
}

/// Commands as a list for a sentence: `koab a`, `koab b`.
fn listed(commands: &[String]) -> String {
    let commands = commands.iter().map(|command| format!("`koab {command}`"));
    commands.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
