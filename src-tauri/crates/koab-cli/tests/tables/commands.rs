//! No command is forgotten: each is shown at the widths of terminals, or is known to print no table.

use crate::support::Koab;
use crate::tables::rich::Rich;
use std::collections::BTreeSet;

/// Commands that print sentences, files, one document, or what lasts until it is ended.
const WITHOUT_A_TABLE: &[&str] = &[
    "judge override",
    "judge queue",
    "judge answers",
    "runs tag",
    "runs merge",
    "runs cancel",
    "runs logs",
    "runs fork",
    "runs fork-delete",
    "runs fork-restore",
    "runs delete",
    "runs restore",
    "trash restore",
    "trash delete",
    "trash empty",
    "report delete",
    "report restore",
    "report export",
    "report combine",
    "submit validate",
    "submit bundle",
    "submit verify",
    "submit key",
    "pack use",
    "pack delete",
    "pack import",
    "pack pull",
    "pack verify",
    "pack export",
    "pack replay",
    "pack save",
    "pack draft",
    "cache lookup",
    "cache time",
    "cache export",
    "cache snapshot create",
    "cache snapshot delete",
    "cache snapshot export",
    "cache snapshot pack",
    "models add",
    "models delete",
    "models verify",
    "models connect",
    "models disconnect",
    "models probe",
    "keys set",
    "keys delete",
    "keys import",
    "agents show",
    "agents image",
    "agents new",
    "agents bridge",
    "find",
    "runs retry",
    "runs set",
    "scenario cancel",
    "scenario logs",
    "scenario lint",
    "open",
    "serve",
    "mcp",
    "offline on",
    "offline off",
    "offline status",
    "egress clear",
];

/// Commands whose table needs what no workspace of these tests has: weights, containers, a server of tools, hundreds of answers.
const NOT_SHOWN: &[&str] = &[
    "gate",
    "judge estimate",
    "models doctor",
    "models pull",
    "pack record",
    "scenario run",
    "scenario remove-missing",
];

/// The commands below one, by what its help lists; those that have none below are given whole. `koab help --all` lists
/// all first words, in groups.
fn leaves(koab: &Koab, path: &str, into: &mut BTreeSet<String>) {
    let words: Vec<&str> = match path {
        "" => vec!["help", "--all"],
        path => path.split_whitespace().chain(["-h"]).collect(),
    };
    let help = koab.ok(&words).stdout;
    let below = if path.is_empty() { &help } else { help.split("\nCommands:\n").nth(1).unwrap_or_default() };
    let lines = below.lines().take_while(|line| path.is_empty() || !line.trim().is_empty());
    let names: Vec<&str> = lines
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    if names.is_empty() {
        into.insert(path.to_owned());
    }
    for name in names {
        leaves(koab, format!("{path} {name}").trim(), into);
    }
}

#[test]
fn every_command_is_shown_or_prints_no_table() {
    let mut all = BTreeSet::new();
    leaves(&Koab::new(), "", &mut all);
    assert!(all.len() > 80, "every command is looked at: {all:?}");
    let lines: Vec<String> = [Rich::new(), Rich::others()]
        .iter()
        .flat_map(|rich| rich.commands.iter().map(|words| words.join(" ") + " "))
        .collect();
    let is_shown = |command: &str| lines.iter().any(|line| line.starts_with(&format!("{command} ")));
    let (shown, rest): (Vec<&String>, Vec<&String>) = all.iter().partition(|command| is_shown(command));
    let forgotten: Vec<&&String> = rest
        .iter()
        .filter(|command| {
            !WITHOUT_A_TABLE.contains(&command.as_str()) && !NOT_SHOWN.contains(&command.as_str())
        })
        .collect();
    assert!(forgotten.is_empty(), "show them in rich.rs, or list them as without a table: {forgotten:?}");
    let listed = WITHOUT_A_TABLE.iter().chain(NOT_SHOWN);
    let stale: Vec<&&str> =
        listed.filter(|command| !all.contains(**command) || shown.iter().any(|one| one == command)).collect();
    assert!(stale.is_empty(), "they are gone, or shown: {stale:?}");
}
