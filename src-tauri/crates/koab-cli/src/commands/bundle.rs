//! Bundles: write, verify, and show the signing key.

use super::interrupt::on_ctrl_c;
use crate::CommandEnd;
use crate::args::bundle::{BundleArgs, VerifyArgs};
use crate::job_progress::during;
use crate::output::Output;
use crate::render::findings;
use koab_api::shown::bytes;
use koab_api::{
    Api, BundleRequest, CheckName, JobKind, KeyPlace, Severity, SignatureState, Verification, WireError,
};
use koab_core::sentence::Language;
use koab_core::{say, text};
use std::cmp::Reverse;
use std::fmt::Write as _;

pub(crate) async fn write(api: &Api, args: BundleArgs, output: Output) -> Result<CommandEnd, WireError> {
    let lang = output.lang;
    let request = BundleRequest { run: args.of.run, reports: args.reports, sign: args.sign };
    let cancel = on_ctrl_c();
    let bundle = api.exchange.bundle_write(request, Vec::new(), args.output, &cancel).await?;
    output.result(&bundle, || {
        let mut text = format!(
            "{}: {} ({})\n",
            lang.text(text!("made and verified the bundle")),
            bundle.path.display(),
            bytes(bundle.bytes)
        );
        match &bundle.signed_by {
            Some(key) => {
                let _ = writeln!(text, "{}: {key}", lang.text(text!("signed by")));
            }
            None => text.push_str(lang.text(text!("it is not signed (sign it with --sign)\n"))),
        }
        for without in &bundle.without {
            let _ = writeln!(text, "- {}", lang.say(without));
        }
        text
    });
    Ok(CommandEnd::Done)
}

pub(crate) async fn verify(api: &Api, args: VerifyArgs, output: Output) -> Result<CommandEnd, WireError> {
    let cancel = on_ctrl_c();
    let work = api.exchange.bundle_verify(args.file, args.key, &cancel);
    let verification = during(api, output, &[JobKind::BundleCheck], work).await?;
    output.result(&verification, || verification_text(&verification, output.lang));
    Ok(if verification.ok { CommandEnd::Done } else { CommandEnd::NotDone })
}

pub(crate) async fn key(api: &Api, file: bool, output: Output) -> Result<CommandEnd, WireError> {
    let place = if file { KeyPlace::File } else { KeyPlace::Keychain };
    let key = api.exchange.bundle_key(place).await?;
    output.result(&key, || {
        let notice = output.lang.text(text!("made a new key\n"));
        let notice = if key.made { notice } else { "" };
        format!("{notice}{}", key.public_key)
    });
    Ok(CommandEnd::Done)
}

/// Text of a verification: first the failed checks, then checks that were not possible, then the
/// passed checks.
fn verification_text(verification: &Verification, lang: Language) -> String {
    let mut text = String::new();
    if let Some(subject) = &verification.subject {
        let _ = writeln!(text, "{}: {} ({})", verification.file, subject.model, subject.run);
    }
    let weight = |severity| match severity {
        Severity::Error => lang.text(text!("FAILED")),
        Severity::Note => lang.text(text!("open")),
        _ => lang.text(text!("held")),
    };
    let mut checks: Vec<_> = verification.checks.iter().collect();
    checks.sort_by_key(|check| Reverse(check.severity));
    let failures_in_list = checks.iter().filter(|check| check.is_error()).count();
    text.push_str(&findings::lines(checks, lang, weight, |code| name(*code, lang).to_owned()));
    let more = (verification.failures as usize).saturating_sub(failures_in_list);
    if more > 0 {
        let _ = writeln!(text, "{}", lang.say(&say!("[FAILED] and {more} places more")));
    }
    let counts = &verification.counts;
    let _ = writeln!(text, "{}", lang.say(&say!("looked at {files} files ({bytes}), {tasks} tasks, {calls} tool calls, {verdicts} verdicts; computed {values} values of {reports} reports again, {judged} of them from verdicts", files = counts.files, bytes = bytes(counts.bytes), tasks = counts.tasks, calls = counts.calls, verdicts = counts.verdicts, values = counts.values, reports = counts.reports, judged = counts.judged)));
    let end = match (verification.ok, verification.signature) {
        (false, _) => lang.text(text!("the bundle does not verify")),
        (true, SignatureState::Trusted) => {
            lang.text(text!("the bundle verifies and is signed by the key that was asked for"))
        }
        (true, _) => {
            lang.text(text!("the bundle verifies: its numbers follow from the logs and verdicts in it"))
        }
    };
    let _ = writeln!(text, "{end}");
    text
}

fn name(name: CheckName, lang: Language) -> &'static str {
    match name {
        CheckName::Container => lang.text(text!("archive", "a form")),
        CheckName::Manifest => lang.text(text!("manifest")),
        CheckName::Files => lang.text(text!("files")),
        CheckName::Signature => lang.text(text!("signature")),
        CheckName::Pack => lang.text(text!("tasks and tools")),
        CheckName::Run => lang.text(text!("run", "a description")),
        CheckName::Journal => lang.text(text!("journal")),
        CheckName::Logs => lang.text(text!("level logs")),
        CheckName::Calls => lang.text(text!("tool answers")),
        CheckName::Verdicts => lang.text(text!("verdicts")),
        CheckName::Reports => lang.text(text!("reports")),
        CheckName::Subject => lang.text(text!("summary")),
        CheckName::Submission => lang.text(text!("submission")),
    }
}
