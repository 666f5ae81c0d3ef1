//! Charges a template for what it does.
//!
//! The source is rewritten where the engine would compute at compile time. The compiled program is
//! rewritten so that every step that makes text, copies a list or starts a loop turn pays the
//! [`super::budget`] first.
//!
//! The engine counts steps, but one step may double a text, and forty doublings fill any memory. It
//! has no hook for this, so its instructions are rewritten. The guards are filters whose names no
//! template can write.

use koab_core::say;
use koab_core::sentence::Sentence;
use minijinja::machinery::{Instruction, Instructions, Token, tokenize};
use minijinja::syntax::SyntaxConfig;

/// Name of the guard that spells both operands of `~` as Python does, and charges for the texts.
pub(super) const TEXTS: &str = "#texts";
/// Name of the guard that charges for the lengths of the operands.
pub(super) const LENGTHS: &str = "#lengths";
/// Name of the guard that charges for a slice of a text or list.
///
/// The engine fails on an empty value that is sliced backwards, so the guard replaces the slice of
/// an empty value by the whole value.
pub(super) const PART: &str = "#part";
/// Name of the guard that charges for a repeated text or list.
pub(super) const TIMES: &str = "#times";
/// Name of the guard that charges for a new list or mapping, and checks its depth.
pub(super) const BUILT: &str = "#built";
/// Name of the guard that charges for a value that is stored in a namespace.
pub(super) const STORED: &str = "#kept";
/// Name of the guard that charges for one turn of a loop, or one comparison.
pub(super) const TURN: &str = "#turn";

/// Name of a template variable that always has the value 1.
pub(super) const ONE: &str = "__one";

/// Maximum number of tokens in one tag. The parser handles a chain of operators recursively, so a
/// long chain could overflow the stack.
const MAX_TOKENS_IN_TAG: usize = 4_000;

/// Maximum number of `elif`s in a template; they nest when compiled.
const MAX_ELIFS: usize = 1_000;

/// Prepares a template source for the engine.
///
/// Tags of Hugging Face that do not change the output (`{% generation %}`) are replaced by plain
/// ones. A product of constants gets a variable as a factor, because the engine computes constant
/// products at compile time, where nothing is charged.
///
/// # Errors
/// When the source exceeds a limit; the sentence names the limit.
pub(super) fn prepare(source: &str, syntax: &SyntaxConfig) -> Result<String, Sentence> {
    // Jinja in Python normalises line ends in the same way.
    let source = &source.replace("\r\n", "\n").replace('\r', "\n");
    let mut out = String::with_capacity(source.len());
    let (mut copied, mut in_tag, mut elifs) = (0, 0, 0);
    let (mut starts, mut splat) = (false, false);
    for token in tokenize(source, false, syntax.clone()) {
        // The parser reports invalid tokens.
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
        if in_tag > MAX_TOKENS_IN_TAG {
            return Err(say!(
                "line {} holds a tag of more than {TOKENS_IN_TAG} words",
                span.start_line,
                TOKENS_IN_TAG = MAX_TOKENS_IN_TAG
            ));
        }
        if elifs > MAX_ELIFS {
            return Err(say!("it holds more than {ELIFS} elifs", ELIFS = MAX_ELIFS));
        }
    }
    out.push_str(source.get(copied..).unwrap_or_default());
    Ok(out)
}

/// A copy of the compiled program with calls of the guards.
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

/// Copies an instruction. A jump target is replaced by its position in the new program.
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

/// Position of each instruction in the new program, and of the program's end.
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

/// Instruction that calls a guard. `!0` makes the engine look up the filter by its name each time.
fn call(guard: &'static str, operands: usize) -> Instruction<'static> {
    Instruction::ApplyFilter(guard, Some(operands as u16), !0)
}

/// Guards that an instruction needs: a guard before it, with the number of operands, and a guard
/// for its result.
fn prices(instruction: &Instruction<'_>) -> (Option<(&'static str, usize)>, Option<&'static str>) {
    use Instruction as I;
    match instruction {
        I::StringConcat => (Some((TEXTS, 2)), None),
        I::Add => (Some((LENGTHS, 2)), None),
        I::Slice => (Some((PART, 4)), None),
        I::UnpackLists(lists) => (Some((LENGTHS, *lists)), None),
        I::Mul => (Some((TIMES, 2)), None),
        I::SetAttr(_) => (Some((STORED, 2)), None),
        I::Eq | I::Ne | I::Gt | I::Gte | I::Lt | I::Lte | I::In | I::CompareAndPreserve(_) => {
            (Some((TURN, 2)), None)
        }
        I::BuildMap(_) | I::BuildList(_) | I::BuildTuple(_) => (None, Some(BUILT)),
        I::Iterate(_) => (None, Some(TURN)),
        _ => (None, None),
    }
}
