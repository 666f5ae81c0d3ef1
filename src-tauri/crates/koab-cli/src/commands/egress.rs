//! `koab egress`.

use crate::Ended;
use crate::args::EgressCommand;
use crate::lang::Lang;
use crate::output::{Output, columns};
use koab_api::{Api, EgressPurpose, EgressRow, EgressView, WireError};

pub(crate) fn egress(api: &Api, command: EgressCommand, output: Output) -> Result<Ended, WireError> {
    match command {
        EgressCommand::List { since, limit } => {
            let view = api.egress_view(since.as_deref(), limit)?;
            output.result(&view, || listed(&view, output.lang));
        }
        EgressCommand::Clear { yes } => {
            if !yes {
                let there = api.egress_view(None, 0)?.requests;
                return Err(WireError::bad_request(format!(
                    "this removes the log of {there} requests for good; say so with --yes"
                )));
            }
            let cleared = api.egress_clear()?;
            output.result(&cleared, || {
                format!(
                    "{}: {}",
                    output
                        .lang
                        .pick("지운 요청 기록", "requests removed from the log"),
                    cleared.requests
                )
            });
        }
    }
    Ok(Ended::Done)
}

fn listed(view: &EgressView, lang: Lang) -> String {
    let foot = lang.pick(
        "시나리오가 도는 컨테이너와 브라우저의 요청은 여기에 없습니다. 그 요청은 koab의 것이 아닙니다.",
        "What containers of scenarios and your browser send is not here: those requests are not koab's.",
    );
    if view.requests == 0 {
        let nothing = lang.pick(
            "이 컴퓨터 밖으로 나간 것이 없습니다.",
            "Nothing has left this computer.",
        );
        return format!("{nothing}\n{foot}");
    }
    let rows: Vec<Vec<String>> = view.rows.iter().map(|row| cells(row, lang)).collect();
    let header = [
        lang.pick("시각 (UTC)", "time (UTC)"),
        lang.pick("호스트", "host"),
        lang.pick("목적", "purpose"),
        lang.pick("요청", "requests"),
        lang.pick("거부", "refused"),
    ];
    let mut text = columns(&header, &rows);
    let mut note = |count: u64, ko: &str, en: &str| {
        if count > 0 {
            text.push_str(&format!("{}: {count}\n", lang.pick(ko, en)));
        }
    };
    note(
        view.left_out,
        "더 오래된 줄 (--limit으로 늘리기)",
        "older lines left out (more with --limit)",
    );
    note(view.unreadable, "읽을 수 없는 줄", "lines that cannot be read");
    format!("{text}\n{foot}")
}

fn cells(row: &EgressRow, lang: Lang) -> Vec<String> {
    let time = |at: &str| at.get(..19).unwrap_or(at).replace('T', " ");
    vec![
        time(&row.from),
        row.host.clone(),
        purpose(row.purpose, lang).to_owned(),
        row.requests.to_string(),
        if row.refused == 0 {
            String::new()
        } else {
            row.refused.to_string()
        },
    ]
}

fn purpose(purpose: EgressPurpose, lang: Lang) -> &'static str {
    match purpose {
        EgressPurpose::Model => lang.pick("모델", "model"),
        EgressPurpose::Judge => lang.pick("심판", "judge"),
        EgressPurpose::Scenario => lang.pick("시나리오의 모델", "scenario's model"),
        EgressPurpose::Pack => lang.pick("팩 받기", "pack pull"),
        EgressPurpose::Archive => lang.pick("저장소 압축 파일", "archive"),
        EgressPurpose::Weights => lang.pick("모델 받기", "model pull"),
        EgressPurpose::Benchmark => lang.pick("시나리오 벤치마크", "benchmark"),
        EgressPurpose::Service => lang.pick("도구의 서비스", "tool's service"),
        EgressPurpose::Page => lang.pick("웹 페이지", "page"),
        EgressPurpose::Collector => lang.pick("스팬 수집기", "collector"),
        EgressPurpose::Engine => lang.pick("컨테이너 엔진", "container engine"),
        EgressPurpose::Image => lang.pick("컨테이너 이미지", "container image"),
        EgressPurpose::Link => lang.pick("링크", "link"),
    }
}
