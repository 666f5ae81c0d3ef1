//! Bundles: written, verified, and the key that signs them.

use super::local_models::bytes;
use super::on_ctrl_c;
use crate::Ended;
use crate::activity_progress::during;
use crate::args::bundle::{BundleArgs, VerifyArgs};
use crate::lang::Lang;
use crate::output::Output;
use koab_api::{
    ActivityKind, Api, BundleCheck, BundleRequest, CheckName, CheckState, KeyPlace, SignatureState,
    Verification, WireError,
};
use std::fmt::Write as _;

pub(crate) async fn write(api: &Api, args: BundleArgs, output: Output) -> Result<Ended, WireError> {
    let lang = output.lang;
    let request = BundleRequest {
        run: args.run,
        reports: args.reports,
        sign: args.sign,
    };
    let cancel = on_ctrl_c();
    let written = api
        .bundle_write(request, Vec::new(), args.output, &cancel)
        .await?;
    output.result(&written, || {
        let mut text = format!(
            "{}: {} ({})\n",
            lang.pick("번들을 만들고 검증했습니다", "made and verified the bundle"),
            written.path.display(),
            bytes(written.bytes)
        );
        match &written.signed_by {
            Some(key) => {
                let _ = writeln!(text, "{}: {key}", lang.pick("서명한 키", "signed by"));
            }
            None => text.push_str(lang.pick(
                "서명하지 않았습니다(--sign으로 서명).\n",
                "it is not signed (sign it with --sign)\n",
            )),
        }
        for without in &written.without {
            let _ = writeln!(text, "- {}", lang.said(without));
        }
        text
    });
    Ok(Ended::Done)
}

pub(crate) async fn verify(api: &Api, args: VerifyArgs, output: Output) -> Result<Ended, WireError> {
    let cancel = on_ctrl_c();
    let work = api.bundle_verify(args.file, args.key, &cancel);
    let found = during(api, output, &[ActivityKind::BundleCheck], work).await?;
    output.result(&found, || told(&found, output.lang));
    Ok(if found.ok { Ended::Done } else { Ended::NotDone })
}

pub(crate) async fn key(api: &Api, file: bool, output: Output) -> Result<Ended, WireError> {
    let place = if file { KeyPlace::File } else { KeyPlace::Keychain };
    let key = api.bundle_key(place).await?;
    output.result(&key, || {
        let made = output.lang.pick("새 키를 만들었습니다.\n", "made a new key\n");
        let made = if key.made { made } else { "" };
        format!("{made}{}", key.public_key)
    });
    Ok(Ended::Done)
}

/// Failures first, then what nobody can check, then what holds.
fn told(found: &Verification, lang: Lang) -> String {
    let mut text = String::new();
    if let Some(subject) = &found.subject {
        let _ = writeln!(text, "{}: {} ({})", found.file, subject.model, subject.run);
    }
    for (state, mark) in [
        (CheckState::Failed, lang.pick("어긋남", "FAILED")),
        (CheckState::NotCheckable, lang.pick("확인 불가", "open")),
        (CheckState::Held, lang.pick("맞음", "held")),
    ] {
        for check in found.checks.iter().filter(|check| check.state == state) {
            let _ = writeln!(
                text,
                "[{mark}] {}: {}",
                name(check.name, lang),
                sentence(check, lang)
            );
        }
    }
    let listed = found
        .checks
        .iter()
        .filter(|check| check.state == CheckState::Failed)
        .count();
    let more = (found.failures as usize).saturating_sub(listed);
    if more > 0 {
        let _ = match lang {
            Lang::Ko => writeln!(text, "[어긋남] 그 밖에 {more}곳"),
            Lang::En => writeln!(text, "[FAILED] and {more} places more"),
        };
    }
    let counts = &found.counts;
    let _ = match lang {
        Lang::Ko => writeln!(
            text,
            "파일 {}개({}), 과제 {}개, 도구 호출 {}회, 판정 {}개, 보고서 {}개의 값 {}개(판정에서 {}개)를 다시 계산했습니다.",
            counts.files,
            bytes(counts.bytes),
            counts.tasks,
            counts.calls,
            counts.verdicts,
            counts.reports,
            counts.values,
            counts.judged,
        ),
        Lang::En => writeln!(
            text,
            "looked at {} files ({}), {} tasks, {} tool calls, {} verdicts; computed {} values of {} reports again, {} of them from verdicts",
            counts.files,
            bytes(counts.bytes),
            counts.tasks,
            counts.calls,
            counts.verdicts,
            counts.values,
            counts.reports,
            counts.judged,
        ),
    };
    let end = match (found.ok, found.signature) {
        (false, _) => lang.pick("검증에 실패했습니다.", "the bundle does not verify"),
        (true, SignatureState::Trusted) => lang.pick(
            "검증되었고 요청한 키로 서명되었습니다.",
            "the bundle verifies and is signed by the key that was asked for",
        ),
        (true, _) => lang.pick(
            "검증되었습니다. 수치는 들어 있는 로그와 판정에서 나온 것입니다.",
            "the bundle verifies: its numbers follow from the logs and verdicts in it",
        ),
    };
    let _ = writeln!(text, "{end}");
    text
}

fn sentence(check: &BundleCheck, lang: Lang) -> String {
    match check.place.as_str() {
        "" => lang.said(&check.sentence),
        place => format!("{place}: {}", lang.said(&check.sentence)),
    }
}

fn name(name: CheckName, lang: Lang) -> &'static str {
    match name {
        CheckName::Container => lang.pick("압축 형식", "archive"),
        CheckName::Manifest => lang.pick("목록", "manifest"),
        CheckName::Files => lang.pick("파일", "files"),
        CheckName::Signature => lang.pick("서명", "signature"),
        CheckName::Pack => lang.pick("과제와 도구", "tasks and tools"),
        CheckName::Run => lang.pick("실행 설명", "run"),
        CheckName::Journal => lang.pick("진행 기록", "journal"),
        CheckName::Logs => lang.pick("레벨 로그", "level logs"),
        CheckName::Calls => lang.pick("도구 응답", "tool answers"),
        CheckName::Verdicts => lang.pick("판정", "verdicts"),
        CheckName::Reports => lang.pick("보고서", "reports"),
        CheckName::Subject => lang.pick("요약", "summary"),
        CheckName::Submission => lang.pick("제출 파일", "submission"),
    }
}
