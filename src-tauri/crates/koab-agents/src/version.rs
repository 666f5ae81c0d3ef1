//! Determines the version of an installed agent.

use crate::definition::Definition;
use std::process::Stdio;
use std::time::Duration;
use tokio::process::Command;

/// Time limit of the command that prints the version.
pub(crate) const VERSION_TIMEOUT: Duration = Duration::from_secs(30);

/// Version that the agent reports, which is the first word of its output that looks like a version.
/// `None` if there is no such word, or if the command cannot be started.
pub(crate) async fn version(definition: &Definition) -> Option<String> {
    let (program, arguments) = definition.version.split_first()?;
    let home = tempfile::tempdir().ok()?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env_clear()
        .env("PATH", std::env::var_os("PATH")?)
        .env("HOME", home.path())
        .env("LANG", "C.UTF-8")
        .env("NO_COLOR", "1")
        .current_dir(home.path())
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    let output = tokio::time::timeout(VERSION_TIMEOUT, command.output()).await.ok()?.ok()?;
    version_in(&String::from_utf8_lossy(&output.stdout))
}

/// Version in the output of a version command.
pub(crate) fn version_in(text: &str) -> Option<String> {
    let is_version = |word: &&str| {
        word.chars().next().is_some_and(|letter| letter.is_ascii_digit())
            && word.contains('.')
            && word.len() <= 64
            && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | '_'))
    };
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')' | '=' | '/'));
    words.map(|word| word.trim_start_matches('v')).find(is_version).map(str::to_owned)
}

#[cfg(test)]
mod tests;
