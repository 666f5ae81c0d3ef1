//! Implements `koab doctor`.

use crate::CommandEnd;
use crate::output::{Columns, Output};
use koab_api::{Api, WireError};
use koab_core::text;

pub(crate) async fn doctor(api: &Api, output: Output) -> Result<CommandEnd, WireError> {
    let checks = api.doctor().await;
    let lang = output.lang;
    output.result(&checks, || {
        Columns::new(&checks, lang)
            .column("", |c| if c.ok { "ok" } else { "--" })
            .id(text!("item"), |c| lang.say(&c.what.as_str().into()))
            .prose(text!("result"), |c| lang.say(&c.found))
            .prose(text!("remedy"), |c| lang.say(&c.remedy))
            .text()
    });
    Ok(CommandEnd::Done)
}
