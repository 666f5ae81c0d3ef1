//! Faults in the data of an imported pack.

use crate::output::Output;
use koab_api::Problem;
use koab_core::sentence::ToSentence;
use koab_core::{say, text};

/// Prints the faults and their consequence. If `each` is false, only the first fault of each kind
/// is printed. `published` means that the tasks are the published ones, whose faults are known.
pub(crate) fn remark(all: &[Problem], each: bool, published: bool, output: Output) {
    let lang = output.lang;
    let title = lang.text(text!("problem"));
    let mut kinds: Vec<(&Problem, usize)> = Vec::new();
    for problem in all {
        let alike = |known: &Problem| (known.code, known.severity) == (problem.code, problem.severity);
        match kinds.iter_mut().find(|(known, _)| !each && alike(known)) {
            Some((_, count)) => *count += 1,
            None => kinds.push((problem, 1)),
        }
    }
    for (first, count) in &kinds {
        let first = first.to_sentence();
        output.remark(&match count {
            1 => format!("{title}: {}", lang.say(&first)),
            _ => lang.say(&say!("{count} problems of one kind, such as {first}")),
        });
    }
    if each {
        return;
    }
    let left_out = all.iter().filter(|problem| problem.is_error()).count();
    if all.is_empty() {
        return;
    }
    let meaning = match (left_out, published) {
        (0, true) => say!(
            "these are known faults of the published data, kept because fixing them would change every number; no action is needed"
        ),
        (0, false) => say!("everything is imported in spite of them"),
        _ => say!("the parts that {left_out} of them concern are left out, the rest is imported"),
    };
    output.remark(&lang.say(&meaning));
    if kinds.len() < all.len() {
        output.remark(lang.text(text!("see each of them with --problems")));
    }
}
