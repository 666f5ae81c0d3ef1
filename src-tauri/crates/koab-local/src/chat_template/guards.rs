//! Puts a price on what a template does: rewrites its source where the engine would compute at
//! compile time, and its compiled form so that every step that makes text, copies a list or goes
//! round a loop pays the [`super::budget`] first.
//!
//! The engine counts steps, but one step may double a text, and forty doublings fill any memory. It
//! offers no hook for that, hence the work on its instructions. The guards are filters whose names
//! no template can write.

use koab_core::say;
use koab_core::sentence::Sentence;
use minijinja::machinery::{Instruction, Instructions, Token, tokenize};
use minijinja::syntax::SyntaxConfig;

/// Takes both sides of `~` as Python would spell them and pays for what comes out.
pub(super) const TEXTS: &str = "#texts";
/// Pays for the lengths of its operands.
pub(super) const LENGTHS: &str = "#lengths";
/// Pays for the part of a text or list. The engine stops at an empty one that is taken backwards,
/// so of those all is taken.
pub(super) const PART: &str = "#part";
/// Pays for a text or list repeated.
pub(super) const TIMES: &str = "#times";
/// Pays for a value that was put together, and sees that it is not too deep.
pub(super) const BUILT: &str = "#built";
/// Pays for what a namespace is given.
pub(super) const KEPT: &str = "#kept";
/// Pays for one turn of a loop, or one comparison.
pub(super) const TURN: &str = "#turn";

/// A variable that is 1.
pub(super) const ONE: &str = "__one";

/// Tokens in one tag at most: a chain of operators is worked on recursively, so its length is a
/// depth.
const TOKENS_IN_TAG: usize = 4_000;

/// `elif`s in a template at most; they nest when compiled.
const ELIFS: usize = 1_000;

/// The source with tags of Hugging Face's own that do not change what is written (`{% generation
/// %}`) made plain, and with products made ones of variables: the engine computes constant products
/// when it compiles, where nothing is paid for. `Err` says what cannot be.
pub(super) fn prepare(source: &str, syntax: &SyntaxConfig) -> Result<String, Sentence> {
    // As Jinja in Python reads any source.
    let source = &source.replace("\r\n", "\n").replace('\r', "\n");
    let mut out = String::with_capacity(source.len());
    let (mut copied, mut in_tag, mut elifs) = (0, 0, 0);
    let (mut starts, mut splat) = (false, false);
    for token in tokenize(source, false, syntax.clone()) {
        // What is no token is the parser's to report.
        let Ok((token, span)) = token else { break };
        let mut put = |until: u32, text: &str, from: u32| {
            out.push_str(source.get(copied..until as usize).unwrap_or_default());
            out.push_str(text);
            copied = from as usize;
        };
        match &token {
            Token::TemplateData(_) | Token::VariableEnd | Token::BlockEnd => in_tag = 0,
            Token::Ident("generation") if starts => put(span.start_offset, "if true", span.end_offset),
            Token::Ident("endgeneration") if starts => put(span.start_offset, "endif", span.end_offset),
            Token::Ident("elif") if starts => elifs += 1,
            Token::Mul if !splat => put(span.end_offset, &format!(" {ONE} * "), span.end_offset),
            _ => {}
        }
        in_tag += 1;
        starts = matches!(token, Token::BlockStart);
        splat = matches!(token, Token::ParenOpen | Token::Comma);
        if in_tag > TOKENS_IN_TAG {
            return Err(say!("line {} holds a tag of more than {TOKENS_IN_TAG} words", span.start_line));
        }
        if elifs > ELIFS {
            return Err(say!("it holds more than {ELIFS} elifs"));
        }
    }
    out.push_str(source.get(copied..).unwrap_or_default());
    Ok(out)
}

/// The same program with guards.
pub(super) fn guarded<'s>(program: &Instructions<'s>) -> Instructions<'s> {
    let places = places(program);
    let place = |old: u32| places.get(old as usize).copied().unwrap_or(old);
    let mut out = Instructions::new(program.name(), program.source());
    for (at, instruction) in all(program) {
        let (line, span) = (program.get_line(at).unwrap_or(0), program.get_span(at));
        let mut put = |instruction| match span {
            Some(span) => out.add_with_span(instruction, span),
            None => out.add_with_line(instruction, line.min(u16::MAX as usize) as u16),
        };
        let (before, after) = prices(instruction);
        if let Some((guard, operands)) = before {
            put(call(guard, operands));
            put(Instruction::UnpackList(operands));
        }
        if let Instruction::EmitRaw(text) = instruction {
            put(Instruction::LoadConst((*text).into()));
            put(Instruction::Emit);
        } else {
            put(moved(instruction, &place));
        }
        if let Some(guard) = after {
            put(call(guard, 1));
        }
    }
    out
}

/// An instruction with its jump to where its aim will stand.
fn moved<'s>(instruction: &Instruction<'s>, place: &dyn Fn(u32) -> u32) -> Instruction<'s> {
    match instruction {
        Instruction::Iterate(to) => Instruction::Iterate(place(*to)),
        Instruction::Jump(to) => Instruction::Jump(place(*to)),
        Instruction::JumpIfFalse(to) => Instruction::JumpIfFalse(place(*to)),
        Instruction::JumpIfFalseOrPop(to) => Instruction::JumpIfFalseOrPop(place(*to)),
        Instruction::JumpIfTrueOrPop(to) => Instruction::JumpIfTrueOrPop(place(*to)),
        Instruction::BuildMacro(name, to, flags) => Instruction::BuildMacro(name, place(*to), *flags),
        other => other.clone(),
    }
}

/// Where each instruction will stand, and the end.
fn places(program: &Instructions<'_>) -> Vec<u32> {
    let mut places = vec![0];
    let mut next = 0;
    for (_, instruction) in all(program) {
        let (before, after) = prices(instruction);
        let own = if matches!(instruction, Instruction::EmitRaw(_)) { 2 } else { 1 };
        next += own + if before.is_some() { 2 } else { 0 } + u32::from(after.is_some());
        places.push(next);
    }
    places
}

fn all<'p, 's>(program: &'p Instructions<'s>) -> impl Iterator<Item = (u32, &'p Instruction<'s>)> {
    (0..).map_while(|at| program.get(at).map(|instruction| (at, instruction)))
}

/// A guard's call. `!0` is the engine's mark for a filter that is looked up each time.
fn call(guard: &'static str, operands: usize) -> Instruction<'static> {
    Instruction::ApplyFilter(guard, Some(operands as u16), !0)
}

/// What stands before an instruction, with its number of operands, and what takes its result.
fn prices(instruction: &Instruction<'_>) -> (Option<(&'static str, usize)>, Option<&'static str>) {
    use Instruction as I;
    match instruction {
        I::StringConcat => (Some((TEXTS, 2)), None),
        I::Add => (Some((LENGTHS, 2)), None),
        I::Slice => (Some((PART, 4)), None),
        I::UnpackLists(lists) => (Some((LENGTHS, *lists)), None),
        I::Mul => (Some((TIMES, 2)), None),
        I::SetAttr(_) => (Some((KEPT, 2)), None),
        I::Eq | I::Ne | I::Gt | I::Gte | I::Lt | I::Lte | I::In | I::CompareAndPreserve(_) => {
            (Some((TURN, 2)), None)
        }
        I::BuildMap(_) | I::BuildList(_) | I::BuildTuple(_) => (None, Some(BUILT)),
        I::Iterate(_) => (None, Some(TURN)),
        _ => (None, None),
    }
}
