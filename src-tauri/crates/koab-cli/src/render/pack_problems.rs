//! What is wrong with the data of a pack that came in.

use crate::output::Output;
use koab_api::PackProblem;
use koab_core::sentence::Language;
use koab_core::{say, text};

/// Says each fault, or a line a kind with the first of it, and what they mean. `published`: the tasks are the published ones, whose faults
/// are known.
pub(crate) fn tell(all: &[PackProblem], each: bool, published: bool, output: Output) {
    let lang = output.lang;
    let title = lang.text(text!("problem"));
    if each {
        for problem in all {
            output.remark(&format!("{title}: {}", one(problem, lang)));
        }
        return;
    }
    let mut kinds: Vec<(String, &PackProblem, usize)> = Vec::new();
    for problem in all {
        let kind = kind(problem);
        match kinds.iter_mut().find(|(known, ..)| *known == kind) {
            Some((.., count)) => *count += 1,
            None => kinds.push((kind, problem, 1)),
        }
    }
    for (_, first, count) in &kinds {
        let first = one(first, lang);
        output.remark(&match count {
            1 => format!("{title}: {first}"),
            _ => lang.say(&say!("{count} problems of one kind, such as {first}")),
        });
    }
    let left_out = all.iter().filter(|problem| problem.left_out).count();
    if all.is_empty() {
        return;
    }
    let meaning = match (left_out, published) {
        (0, true) => say!(
            "these are known faults of the published data, kept because mending them would change every number; nothing needs to be done"
        ),
        (0, false) => say!("everything is imported and can be run in spite of them"),
        _ => say!("what {left_out} of them concern is left out, the rest is imported"),
    };
    output.remark(&lang.say(&meaning));
    if kinds.len() < all.len() {
        output.remark(lang.text(text!("see each of them with --problems")));
    }
}

fn one(problem: &PackProblem, lang: Language) -> String {
    let places = [&problem.file, &problem.task, &problem.field]
        .into_iter()
        .flatten();
    let place: String = places.map(|place| format!("{place}: ")).collect();
    let left_out = match problem.left_out {
        true => lang.text(text!(" (left out)")),
        false => "",
    };
    format!("{place}{}{left_out}", lang.say(&problem.why))
}

/// What faults of one kind have in common: their sentence without what it quotes and counts.
fn kind(problem: &PackProblem) -> String {
    let mut kind = String::from(if problem.left_out { "-" } else { "+" });
    for (place, part) in problem.why.template().split('"').enumerate() {
        match place % 2 {
            0 => kind.extend(part.chars().filter(|letter| !letter.is_ascii_digit())),
            _ => kind.push('"'),
        }
    }
    kind
}
