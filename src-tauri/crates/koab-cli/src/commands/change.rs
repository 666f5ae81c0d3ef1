//! Implements `koab runs set` and `koab runs retry`.

use crate::args::change::{RetryArgs, SetArgs};
use crate::output::Output;
use koab_api::{Api, WireError};
use koab_core::run_record::ChangeRecord;
use koab_core::sentence::{Language, ToSentence as _};

pub(crate) async fn set(api: &Api, args: SetArgs, output: Output) -> Result<(), WireError> {
    let run = args.of.run.clone();
    let records = api.runs.run_change(&run, args.changes()).await?;
    output.result(&records, || text(&records, output.lang));
    Ok(())
}

pub(crate) async fn retry(api: &Api, args: RetryArgs, output: Output) -> Result<(), WireError> {
    let run = args.of.run.clone();
    let records = api.runs.run_retry(&run, args.attempts()).await?;
    output.result(&records, || text(&records, output.lang));
    Ok(())
}

/// One line for each change.
pub(crate) fn text(records: &[ChangeRecord], lang: Language) -> String {
    let lines = records.iter().map(|record| lang.say(&record.change.to_sentence()));
    lines.collect::<Vec<_>>().join("\n")
}
