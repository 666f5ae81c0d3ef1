//! Asks an engine's own program.

use crate::error::ClusterError;
use crate::words::clean;
use koab_core::say;
use koab_core::sensitive::Sensitive;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

/// The longest that a program of an engine may take. A busy controller answers within some seconds.
const LIMIT: Duration = Duration::from_secs(90);

/// What a program said.
#[derive(Debug)]
pub(crate) struct ProgramOutput {
    pub(crate) good: bool,
    pub(crate) output: String,
    errors: String,
}

impl ProgramOutput {
    /// What it complained about, in one line.
    pub(crate) fn complaint(&self) -> String {
        let lines = |text: &str| -> Vec<String> {
            let lines = text.lines().map(clean);
            let bare =
                lines.map(|line| line.rsplit_once("error: ").map_or(line.clone(), |(_, why)| why.to_owned()));
            bare.filter(|line| !line.is_empty()).collect()
        };
        let mut said = lines(&self.errors);
        if said.is_empty() {
            said = lines(&self.output);
        }
        if said.is_empty() {
            return "it does not say why".to_owned();
        }
        clean(&said.join("; "))
    }

    /// All that it complained about, for a look at a word of it.
    pub(crate) fn errors(&self) -> &str {
        &self.errors
    }
}

/// Values for the program's environment, by name. They are given to nobody else.
pub(crate) type Values = [(String, Sensitive<String>)];

/// Runs a program to its end.
///
/// # Errors
/// When it is not there or takes too long. What it refuses is an answer.
pub(crate) async fn call(
    program: &'static str,
    words: &[String],
    values: &Values,
    input: Option<&str>,
) -> Result<ProgramOutput, ClusterError> {
    let failed = |error: std::io::Error| {
        ClusterError::Missing(say!(
            "`{program}` cannot be started: {error}; koab asks it on the machine from which jobs are submitted"
        ))
    };
    let mut command = Command::new(program);
    command
        .args(words)
        .env("LC_ALL", "C")
        .stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    for (name, value) in values {
        command.env(name, value.expose());
    }
    let mut child = command.spawn().map_err(failed)?;
    if let (Some(mut stdin), Some(input)) = (child.stdin.take(), input) {
        // One that does not read it says so by its end.
        let _ = stdin.write_all(input.as_bytes()).await;
    }
    let ended = tokio::time::timeout(LIMIT, child.wait_with_output())
        .await
        .map_err(|_| {
            let seconds = LIMIT.as_secs();
            ClusterError::Missing(say!("`{program}` has not answered within {seconds} seconds"))
        })?
        .map_err(failed)?;
    Ok(ProgramOutput {
        good: ended.status.success(),
        output: String::from_utf8_lossy(&ended.stdout).into_owned(),
        errors: String::from_utf8_lossy(&ended.stderr).into_owned(),
    })
}
