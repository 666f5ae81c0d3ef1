//! `koab models`.

use crate::Ended;
use crate::output::{Output, columns};
use koab_api::{Api, ModelKind, WireError};

pub(crate) fn list(api: &Api, output: Output) -> Result<Ended, WireError> {
    let models = api.models_list();
    output.result(&models, || {
        let lang = output.lang;
        let rows: Vec<Vec<String>> = models
            .iter()
            .map(|m| {
                let (id, kind) = match m.kind {
                    ModelKind::Baseline => (m.id.clone(), lang.pick("내장 기준선", "built in")),
                    ModelKind::Server => (format!("{}<model>", m.id), lang.pick("서버", "server")),
                };
                let url = m.default_base_url.clone().unwrap_or_else(|| match m.kind {
                    ModelKind::Baseline => String::new(),
                    ModelKind::Server => "--base-url".to_owned(),
                });
                vec![id, kind.to_owned(), url]
            })
            .collect();
        columns(
            &[
                lang.pick("모델", "model"),
                lang.pick("종류", "kind"),
                lang.pick("주소", "address"),
            ],
            &rows,
        )
    });
    Ok(Ended::Done)
}
