//! `koab models doctor`.

use super::on_ctrl_c;
use super::run::local_id;
use crate::Ended;
use crate::activity_progress;
use crate::args::models::DoctorArgs;
use crate::lang::Lang;
use crate::output::{Output, columns};
use koab_api::local_run::{LocalAdvice, LocalExamination};
use koab_api::{ActivityKind, Api, WireError};
use std::fmt::Write as _;

pub(crate) async fn doctor(api: &Api, args: &DoctorArgs, output: Output) -> Result<Ended, WireError> {
    let id = local_id(&args.name);
    output.remark(output.lang.pick(
        "모델을 불러와 시험합니다. 모델 크기에 따라 몇 초에서 몇 분이 걸립니다.",
        "loading and trying the model; that takes seconds to minutes, by its size",
    ));
    let settings = args.local.settings();
    let examining = api.local_doctor(&id, &settings, args.parallel);
    let cancel = on_ctrl_c();
    let found = tokio::select! {
        biased;
        () = cancel.cancelled() => return Ok(Ended::Cancelled),
        found = activity_progress::during(api, output, &[ActivityKind::ModelConversion], examining) => found?,
    };
    output.result(&found, || text(&found, output.lang));
    Ok(Ended::Done)
}

fn text(found: &LocalExamination, lang: Lang) -> String {
    let mib = |bytes: u64| format!("{:.0} MiB", bytes as f64 / f64::from(1 << 20));
    let unknown = lang.pick("알 수 없음", "not known");
    let per_second = |rate: Option<f64>| match rate {
        Some(rate) => format!("{rate:.1} {}", lang.pick("토큰/초", "tokens/s")),
        None => lang.pick("재지 못함", "could not be measured").to_owned(),
    };
    let mut rows = vec![
        (lang.pick("모델", "model"), found.model.clone()),
        (
            lang.pick("정밀도", "precision"),
            found
                .precision
                .clone()
                .unwrap_or_else(|| lang.pick("파일 그대로", "as the file has it").to_owned()),
        ),
        (
            lang.pick("장치", "device"),
            format!(
                "{}, {}{}",
                found.device,
                found.threads,
                lang.pick("스레드", " threads")
            ),
        ),
        (
            lang.pick("메모리", "memory"),
            format!(
                "{} + {} {} ({} {})",
                mib(found.weights_bytes),
                found.kv_bytes.map_or_else(|| unknown.to_owned(), mib),
                lang.pick("어텐션", "of attention"),
                found.memory_available.map_or_else(|| unknown.to_owned(), mib),
                lang.pick("사용 가능", "free")
            ),
        ),
        (
            lang.pick("컨텍스트", "context"),
            format!(
                "{} ({} {}), {}{}",
                found.context,
                lang.pick("학습", "trained for"),
                found.context_trained,
                found.parallel,
                lang.pick("개 대화 동시", " conversations at once")
            ),
        ),
        (lang.pick("읽기", "reading"), per_second(found.prompt_per_second)),
        (lang.pick("쓰기", "writing"), per_second(found.written_per_second)),
        (
            lang.pick("반복성", "repeatable"),
            match found.deterministic {
                Some(true) => lang.pick("예: 5번 모두 같은 답", "yes: five greedy runs said the same"),
                Some(false) => lang.pick("아니요: 답이 서로 다름", "no: greedy runs differ"),
                None => unknown,
            }
            .to_owned(),
        ),
        (
            lang.pick("도구", "tools"),
            format!(
                "{}; {}",
                found.form,
                if found.handles_tools {
                    lang.pick("템플릿이 알려 줌", "told by the chat template")
                } else {
                    lang.pick("시스템 메시지로 알려 줌", "told in the system message")
                }
            ),
        ),
    ];
    if let Some(longest) = &found.longest {
        let over = match longest.too_long.as_slice() {
            [] => lang.pick("모두 들어감", "all fit").to_owned(),
            tasks => format!("{}: {}", lang.pick("들어가지 않음", "too long"), tasks.join(", ")),
        };
        rows.push((
            lang.pick("가장 긴 첫 프롬프트", "longest first prompt"),
            format!("{} ({}); {over}", longest.tokens, longest.task),
        ));
    }
    let rows: Vec<Vec<String>> = rows
        .into_iter()
        .map(|(name, value)| vec![name.to_owned(), value])
        .collect();
    let mut text = columns(&[lang.pick("항목", "what"), lang.pick("결과", "found")], &rows);
    for advice in &found.advice {
        let _ = writeln!(text, "! {}", sentence(*advice, lang));
    }
    let _ = write!(
        text,
        "\n{}:\n{}",
        lang.pick("모델이 보는 대화", "a conversation as the model sees it"),
        found.rendered
    );
    text
}

fn sentence(advice: LocalAdvice, lang: Lang) -> &'static str {
    match advice {
        LocalAdvice::LargerContext => lang.pick(
            "팩의 프롬프트가 다 들어가지 않습니다. --context를 키우세요.",
            "not all prompts of the pack fit: choose a larger --context",
        ),
        LocalAdvice::LessMemory => lang.pick(
            "남은 메모리를 거의 다 씁니다. --quantization을 쓰거나 --context 또는 --parallel을 줄이세요.",
            "it takes most of the memory that is free: choose a --quantization, or a smaller --context or --parallel",
        ),
        LocalAdvice::ToolsByHand => lang.pick(
            "템플릿이 도구를 다루지 않습니다. 도구 호출용으로 조정된 모델을 권합니다.",
            "its template does not tell tools: a model that was tuned for tools does better",
        ),
        LocalAdvice::Repeat => lang.pick(
            "같은 질문에 다른 답이 나옵니다. --repetitions로 반복해 실행하세요.",
            "the same question got two answers: make repetitions, and say so beside the numbers",
        ),
        LocalAdvice::Slow => lang.pick(
            "이 컴퓨터에서는 느립니다. --timeout을 늘리거나 더 작은 정밀도를 고르세요.",
            "it is slow here: raise --timeout, or choose a smaller model or precision",
        ),
    }
}
