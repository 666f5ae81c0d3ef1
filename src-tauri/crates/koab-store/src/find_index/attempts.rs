//! Facts about a run's attempts as one value of a row, so that a query reads all of them at once.

use std::io;

/// Facts about an attempt. Names are ids of the table `word`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct AttemptFacts {
    pub(super) task: u64,
    pub(super) level: u64,
    pub(super) repetition: u64,
    pub(super) status: u64,
    pub(super) steps: u64,
    pub(super) calls: u64,
    pub(super) tokens: Option<u64>,
    pub(super) seconds: Option<f64>,
    pub(super) tools: Vec<u64>,
}

/// Adds the facts of an attempt to those of a run.
pub(super) fn write(attempt: &AttemptFacts, into: &mut Vec<u8>) {
    let AttemptFacts { task, level, repetition, status, steps, calls, tokens, seconds, tools } = attempt;
    for number in [task, level, repetition, status, steps, calls] {
        put(*number, into);
    }
    put(tokens.map_or(0, |tokens| tokens.saturating_add(1)), into);
    // An unknown duration is stored as a value that is not a number.
    into.extend_from_slice(&seconds.unwrap_or(f64::NAN).to_le_bytes());
    put(tools.len() as u64, into);
    tools.iter().for_each(|tool| put(*tool, into));
}

/// Reads the facts of a run's attempts.
///
/// # Errors
/// When the bytes end within an attempt.
pub(super) fn read(mut bytes: &[u8]) -> io::Result<Vec<AttemptFacts>> {
    let mut attempts = Vec::new();
    while !bytes.is_empty() {
        let mut next = || take(&mut bytes);
        let [task, level, repetition, status, steps, calls, tokens] =
            [next()?, next()?, next()?, next()?, next()?, next()?, next()?];
        let (seconds, rest) = bytes.split_first_chunk::<8>().ok_or(io::ErrorKind::UnexpectedEof)?;
        bytes = rest;
        let seconds = f64::from_le_bytes(*seconds);
        let count = take(&mut bytes)?;
        let tools = (0..count).map(|_| take(&mut bytes)).collect::<io::Result<_>>()?;
        attempts.push(AttemptFacts {
            task,
            level,
            repetition,
            status,
            steps,
            calls,
            tokens: tokens.checked_sub(1),
            seconds: (!seconds.is_nan()).then_some(seconds),
            tools,
        });
    }
    Ok(attempts)
}

/// Appends a number with seven bits in each byte.
pub(super) fn put(mut number: u64, into: &mut Vec<u8>) {
    while number >= 0x80 {
        into.push(number as u8 | 0x80);
        number >>= 7;
    }
    into.push(number as u8);
}

/// Takes a number that [`put`] wrote.
pub(super) fn take(bytes: &mut &[u8]) -> io::Result<u64> {
    let (mut number, mut shift) = (0, 0);
    while let Some((byte, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
        if byte & 0x80 == 0 {
            return Ok(number);
        }
        shift += 7;
    }
    Err(io::ErrorKind::UnexpectedEof.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn facts_are_read_as_they_were_written(
            numbers in proptest::collection::vec(any::<[u64; 6]>(), 0..4),
            tokens in proptest::option::of(0..u64::MAX),
            seconds in proptest::option::of(-1e9..1e9),
            tools in proptest::collection::vec(any::<u64>(), 0..4),
        ) {
            let attempts: Vec<AttemptFacts> = numbers
                .into_iter()
                .map(|[task, level, repetition, status, steps, calls]| AttemptFacts {
                    task, level, repetition, status, steps, calls, tokens, seconds, tools: tools.clone(),
                })
                .collect();
            let mut bytes = Vec::new();
            attempts.iter().for_each(|attempt| write(attempt, &mut bytes));
            prop_assert_eq!(read(&bytes).expect("read"), attempts);
            if !bytes.is_empty() {
                bytes.pop();
                prop_assert!(read(&bytes).is_err());
            }
        }
    }
}
