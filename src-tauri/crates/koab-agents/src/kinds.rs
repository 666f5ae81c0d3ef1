//! The ways to an agent.

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

/// A sentence for a program that cannot be started.
fn not_started(setup: &Setup<'_>, why: Sentence) -> Sentence {
    match &setup.definition.install {
        Some(install) if setup.contained.is_none() => say!("{why}; install it with `{install}`"),
        _ => why,
    }
}

/// Bytes of an answer at most.
const LONGEST_ANSWER: usize = 16 << 20;

/// What a program that ended by itself came to.
fn ended(setup: &Setup<'_>, answer: Option<String>, over: &ProgramEnd) -> AgentResult {
    let failed = &setup.definition.failed;
    let by_exit = over.code.filter(|code| failed.exit.is_some() && *code != 0);
    let said = failed.stdout_has.as_ref();
    let said = said.filter(|text| setup.output.stdout().contains(text.as_str()));
    let is_in_file = matches!(setup.definition.answer, Some(AnswerFrom::File(_)));
    let is_cut = setup.output.is_cut() && !is_in_file;
    // Engines set the mark for any process of a container: one that ended well lost a child, and no
    // more.
    let by_memory = over.out_of_memory && over.code.is_some_and(|code| code != 0);
    let failed = match (by_exit, said) {
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

/// What a program came to that was asked and then ended from here, so that its exit code says
/// nothing. `asking` is why what was asked of it failed.
fn ended_from_here(
    setup: &Setup<'_>,
    answer: Option<String>,
    asking: Option<Sentence>,
    over: &ProgramEnd,
) -> AgentResult {
    let ended = ended(setup, answer, &ProgramEnd { code: None, ..*over });
    let failed = asking.map(|why| match over.out_of_memory {
        true => out_of_memory(),
        false => why,
    });
    AgentResult { failed: failed.or(ended.failed), ..ended }
}

/// A part of an answer is not the answer.
fn too_long() -> Sentence {
    say!("its answer is longer than {} MiB, and a part of it would not be its answer", LONGEST_ANSWER >> 20)
}

fn out_of_memory() -> Sentence {
    say!("it took more memory than its container may have")
}
