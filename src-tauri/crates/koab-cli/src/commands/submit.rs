//! Implements `koab submit`.

use super::bundle;
use super::interrupt::on_ctrl_c;
use crate::CommandEnd;
use crate::args::submit::{PrepareArgs, SubmitCommand};
use crate::job_progress::during;
use crate::output::{Columns, Output};
use crate::render::findings;
use koab_api::{Api, JobKind, Objection, Severity, SubmissionRequest, SubmissionView, WireError};
use koab_core::sentence::Language;
use koab_core::text;

pub(crate) async fn submit(
    api: &Api,
    command: SubmitCommand,
    output: Output,
) -> Result<CommandEnd, WireError> {
    match command {
        SubmitCommand::Prepare(args) => prepare(api, *args, output).await,
        SubmitCommand::Validate { place } => {
            let cancel = on_ctrl_c();
            let work = api.exchange.submission_validate(place, &cancel);
            let check = during(api, output, &[JobKind::BundleCheck], work).await?;
            output.result(&check, || objections(&check.objections, output.lang));
            Ok(if check.blocked { CommandEnd::NotDone } else { CommandEnd::Done })
        }
        SubmitCommand::Bundle(args) => bundle::write(api, args, output).await,
        SubmitCommand::Verify(args) => bundle::verify(api, args, output).await,
        SubmitCommand::Key { file } => bundle::key(api, file, output).await,
    }
}

async fn prepare(api: &Api, args: PrepareArgs, output: Output) -> Result<CommandEnd, WireError> {
    let lang = output.lang;
    let mut request = SubmissionRequest { of: args.of.clone(), names: None, language: args.texts.0 };
    let texts = [
        &args.name,
        &args.vendor,
        &args.licence,
        &args.repo,
        &args.by,
        &args.contact,
        &args.source_url,
        &args.notes,
    ];
    if texts.iter().any(|text| text.is_some()) || args.model_type.is_some() {
        // Names that are not given stay as they were.
        let mut names = api.exchange.submission_view(&request)?.names;
        let set = |name: &mut String, value: &Option<String>| {
            if let Some(text) = value {
                name.clone_from(text);
            }
        };
        set(&mut names.model, &args.name);
        set(&mut names.vendor, &args.vendor);
        set(&mut names.licence, &args.licence);
        set(&mut names.repo, &args.repo);
        set(&mut names.submitted_by, &args.by);
        set(&mut names.contact, &args.contact);
        set(&mut names.source_url, &args.source_url);
        set(&mut names.notes, &args.notes);
        names.model_type = args.model_type.or(names.model_type);
        request.names = Some(names);
    }
    let saved = if let Some(file) = args.output {
        let cancel = on_ctrl_c();
        let work = api.exchange.submission_bundle(request, args.sign, file, &cancel);
        during(api, output, &[JobKind::Export], work).await?
    } else if let Some(folder) = &args.folder {
        api.exchange.submission_save(&request, folder)?
    } else {
        let view = api.exchange.submission_view(&request)?;
        output.result(&view, || {
            let nothing = lang.text(text!("nothing was written; save it with `-o FILE.koab`, which others can verify, or with `--folder DIR`"));
            format!(
                "{}\n{}\n{nothing}",
                row(&view, lang),
                objections(&view.objections, lang)
            )
        });
        return Ok(CommandEnd::Done);
    };
    output.result(&saved, || {
        let mut text = format!(
            "{}: {} ({} {}, {} {})\n\n",
            lang.text(text!("written")),
            saved.place,
            saved.files,
            lang.text(text!("files")),
            saved.bytes,
            lang.text(text!("bytes")),
        );
        text.push_str(&objections(&saved.objections, lang));
        text
    });
    Ok(CommandEnd::Done)
}

/// Row of the leaderboard as text, with one line per column.
fn row(view: &SubmissionView, lang: Language) -> String {
    let cells = view.header.iter().zip(&view.cells);
    Columns::new(cells, lang).id(view.report.as_str(), |(name, _)| name).prose("", |(_, cell)| cell).text()
}

fn objections(objections: &[Objection], lang: Language) -> String {
    if objections.is_empty() {
        return lang.text(text!("no objection")).to_owned();
    }
    let weight = |severity| match severity {
        Severity::Error => lang.text(text!("blocks")),
        _ => lang.text(text!("maintainers will ask")),
    };
    findings::lines(objections, lang, weight, findings::code)
}
