//! Matching of a reply's calls with the expected calls.

use super::{Checker, Truth, Wrong};
use crate::bfcl::fault::{self, Fault};
use crate::bfcl::reply::Read;

impl Checker {
    /// Published matching: each expected call is matched, in order, with the first remaining call
    /// that fits, and the match is final.
    pub(super) fn greedy(self, truths: &[Truth<'_>], calls: &[Read]) -> Result<(), Wrong> {
        let mut remaining: Vec<&Read> = calls.iter().collect();
        for truth in truths {
            let mut faults = Vec::new();
            let position = remaining.iter().position(|call| match self.call(truth, call) {
                Ok(()) => true,
                Err(fault) => {
                    faults.push(fault);
                    false
                }
            });
            match position {
                Some(at) => drop(remaining.remove(at)),
                None => return Err(no_match(faults)),
            }
        }
        Ok(())
    }

    /// Corrected matching: the reply is right if there is any way to match all expected calls.
    pub(super) fn any(self, truths: &[Truth<'_>], calls: &[Read]) -> Result<(), Wrong> {
        let verdicts: Vec<Vec<Result<(), Fault>>> =
            truths.iter().map(|truth| calls.iter().map(|call| self.call(truth, call)).collect()).collect();
        let mut taken = vec![None; calls.len()];
        for truth in 0..truths.len() {
            if !place(truth, &verdicts, &mut taken, &mut vec![false; calls.len()]) {
                let remaining = verdicts[truth].iter().zip(&taken).filter(|(_, taken)| taken.is_none());
                return Err(no_match(remaining.filter_map(|(verdict, _)| verdict.err()).collect()));
            }
        }
        Ok(())
    }
}

/// Matches an expected call, and changes the matches of earlier expected calls if that is
/// necessary. Returns whether there is a match.
fn place(
    truth: usize,
    verdicts: &[Vec<Result<(), Fault>>],
    taken: &mut [Option<usize>],
    seen: &mut [bool],
) -> bool {
    for call in 0..taken.len() {
        if verdicts[truth][call].is_err() || std::mem::replace(&mut seen[call], true) {
            continue;
        }
        if taken[call].is_none_or(|other| place(other, verdicts, taken, seen)) {
            taken[call] = Some(truth);
            return true;
        }
    }
    false
}

fn no_match(calls: Vec<Fault>) -> Wrong {
    Wrong { fault: fault::NO_MATCH, calls }
}
