//! `koab doctor`.

use crate::Ended;
use crate::output::{Output, columns};
use koab_api::{Api, WireError};

pub(crate) async fn doctor(api: &Api, output: Output) -> Result<Ended, WireError> {
    let checks = api.doctor().await;
    let lang = output.lang;
    output.result(&checks, || {
        let rows: Vec<Vec<String>> = checks
            .iter()
            .map(|c| {
                vec![
                    if c.ok { "ok" } else { "--" }.to_owned(),
                    lang.said(&c.what),
                    lang.said(&c.found),
                    lang.said(&c.remedy),
                ]
            })
            .collect();
        columns(
            &[
                "",
                lang.pick("항목", "what"),
                lang.pick("상태", "found"),
                lang.pick("할 일", "remedy"),
            ],
            &rows,
        )
    });
    Ok(Ended::Done)
}
