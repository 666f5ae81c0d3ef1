//! Kinds of agents. They differ in how an agent is started, gets its prompt and returns its answer.

mod acp;
mod by_hand;
mod command;
mod server;
mod web;

pub(crate) use acp::run as acp;
pub(crate) use by_hand::run as by_hand;
pub(crate) use command::run as command;
pub(crate) use server::{ServerPort, a2a, http};

use crate::answer::AnswerFrom;
use crate::program_end::ProgramEnd;
use crate::setup::{AgentResult, Setup};
use koab_core::say;
use koab_core::sentence::Sentence;

/// Adds the install command to the reason why a program cannot be started.
fn not_started(setup: &Setup<'_>, why: Sentence) -> Sentence {
    match &setup.definition.install {
        Some(install) if setup.contained.is_none() => say!("{why}; install it with `{install}`"),
        _ => why,
    }
}

/// Maximum size of an answer in bytes.
const LONGEST_ANSWER: usize = 16 << 20;

/// Result of a program that ended by itself.
fn ended(setup: &Setup<'_>, answer: Option<String>, over: &ProgramEnd) -> AgentResult {
    let failed = &setup.definition.failed;
    let by_exit = over.code.filter(|code| failed.exit.is_some() && *code != 0);
    let failure_text =
        failed.stdout_has.as_ref().filter(|text| setup.output.stdout().contains(text.as_str()));
    let is_in_file = matches!(setup.definition.answer, Some(AnswerFrom::File(_)));
    let is_cut = setup.output.is_cut() && !is_in_file;
    // Engines set the mark for any process of a container. A program that ended with 0 only lost a
    // child.
    let by_memory = over.out_of_memory && over.code.is_some_and(|code| code != 0);
    let failed = match (by_exit, failure_text) {
        _ if by_memory => Some(out_of_memory()),
        (Some(code), _) => Some(say!("it ended with exit code {code}")),
        (None, Some(text)) => Some(say!("it wrote {text}")),
        (None, None) if is_cut => Some(too_long()),
        (None, None) => None,
    };
    AgentResult {
        answer: answer.filter(|_| !is_cut),
        failed,
        exit: over.code,
        outlived: over.outlived,
        out_of_memory: over.out_of_memory,
    }
}

/// Result of a program that koab ended after its answer. The exit code is ignored, because koab
/// ended the program.
///
/// `asking` is the reason why the request to the program failed, if it did.
fn ended_from_here(
    setup: &Setup<'_>,
    answer: Option<String>,
    asking: Option<Sentence>,
    over: &ProgramEnd,
) -> AgentResult {
    let result = ended(setup, answer, &ProgramEnd { code: None, ..*over });
    let failed = asking.map(|why| if over.out_of_memory { out_of_memory() } else { why });
    AgentResult { failed: failed.or(result.failed), ..result }
}

/// Error for an answer that is too long. A part of such an answer is not used.
fn too_long() -> Sentence {
    say!("its answer is longer than the limit of {} MiB", LONGEST_ANSWER >> 20)
}

fn out_of_memory() -> Sentence {
    say!("it used more memory than the limit of its container")
}
