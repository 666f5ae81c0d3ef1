//! Implements `koab scenario remove-missing`: moves unfinished trials to the trash.

use super::consent::confirm;
use crate::CommandEnd;
use crate::output::{Columns, Output};
use koab_api::{Api, WireError};
use koab_core::{say, text};
use serde_json::json;

pub(super) fn remove_missing(
    api: &Api,
    dir: &str,
    yes: bool,
    output: Output,
) -> Result<CommandEnd, WireError> {
    let lang = output.lang;
    let unfinished = api.scenarios.unfinished(dir)?;
    if unfinished.is_empty() {
        output.result(&json!({ "unfinished": [], "moved": [] }), || {
            lang.text(text!("every trial is finished")).to_owned()
        });
        return Ok(CommandEnd::Done);
    }
    if !yes {
        let rows: Vec<Vec<String>> =
            unfinished.iter().map(|trial| vec![trial.path.clone(), lang.say(&trial.why)]).collect();
        let list = Columns::new(&rows, lang)
            .id(text!("folder"), |row| &row[0])
            .prose(text!("why"), |row| &row[1])
            .text();
        output.sentence(&format!(
            "{}\n{}",
            list.trim_end(),
            lang.text(text!(
                "these go to the trash (.trash); trials that are running now look unfinished, too"
            ))
        ));
        if !confirm(output)? {
            return Err(WireError::bad_request(say!(
                "nothing was moved: answer \"yes\", or give --yes in scripts"
            )));
        }
    }
    let moved = api.scenarios.set_aside(&unfinished)?;
    output.result(&json!({ "unfinished": unfinished, "moved": moved }), || {
        let count = moved.len();
        let head = lang.say(&say!("{count} trials are in the trash now"));
        format!("{head}\n{}", moved.join("\n"))
    });
    Ok(CommandEnd::Done)
}
