//! The verdict on a page: a badge beside the headline number, below it the reasons, what is known, and the calls that
//! found no answer.

use super::escape::esc;
use super::words::Words;
use super::{Align, columns};
use crate::comparability::{CallsBasis, Comparability, Grade, conditions, level_calls, percent};
use std::fmt::Write as _;

/// The verdict in two words, and the gravest reason.
pub(super) fn badge(html: &mut String, comparability: &Comparability, words: &Words) {
    let judged = &comparability.leaderboard;
    let first = judged.against().next();
    let why = first.map_or_else(String::new, |finding| (words.wording.say)(&finding.reason));
    let _ = writeln!(
        html,
        "<p><span class=\"verdict {}\">{}: {}</span> {}</p>",
        class(judged.grade),
        words.wording.pick("리더보드와", "With the leaderboard"),
        words.wording.grade(judged.grade),
        esc(&why),
    );
}

pub(super) fn section(html: &mut String, comparability: &Comparability, words: &Words) {
    let wording = &words.wording;
    let title = wording.pick("비교 가능성", "Comparability");
    let _ = writeln!(html, "<section id=\"comparability\">\n<h2>{title}</h2>");
    html.push_str("<ul class=\"findings\">\n");
    for finding in &comparability.leaderboard.findings {
        let (reason, remedy) = ((wording.say)(&finding.reason), (wording.say)(&finding.remedy));
        let _ = writeln!(
            html,
            "<li><b class=\"{}\">{}</b> {} <span>{}</span></li>",
            class(finding.grade),
            wording.grade(finding.grade),
            esc(&reason),
            esc(&remedy),
        );
    }
    html.push_str("</ul>\n<table><tbody>\n");
    for (name, value) in conditions(comparability, wording) {
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\"><code>{name}</code></th><td>{}</td></tr>",
            esc(&value)
        );
    }
    html.push_str("</tbody></table>\n");
    calls(html, comparability, words);
    html.push_str("</section>\n");
}

fn calls(html: &mut String, comparability: &Comparability, words: &Words) {
    let wording = &words.wording;
    let Ok(calls) = comparability.facts.calls.get() else {
        return;
    };
    if calls.basis == CallsBasis::Reckoned {
        let against = calls
            .against
            .as_ref()
            .map(|pack| pack.label())
            .unwrap_or_default();
        let note = wording.pick(
            "이 로그에는 응답 방식이 없어 설치된 팩의 기록에 맞춰 본 값입니다:",
            "The logs do not say how calls were answered; held against the installed pack:",
        );
        let _ = writeln!(html, "<p>{note} {}</p>", esc(&against));
    }
    html.push_str("<table>\n");
    columns(
        html,
        [
            (words.level, Align::Text),
            (wording.pick("응답률", "Hit rate"), Align::Number),
            (wording.pick("기록", "Hit"), Align::Number),
            (wording.pick("기록 없음", "Miss"), Align::Number),
            (wording.pick("주입된 오류", "Injected"), Align::Number),
            (wording.pick("거부", "Refused"), Align::Number),
            (wording.pick("서비스", "Service"), Align::Number),
        ],
    );
    html.push_str("<tbody>\n");
    for (level, counts) in level_calls(comparability) {
        let rate = counts.hit_rate().map_or_else(|| "—".to_owned(), percent);
        let _ = write!(
            html,
            "<tr><th scope=\"row\">{}</th><td class=\"n\">{rate}</td>",
            if level == "all" {
                wording.pick("전체", "All")
            } else {
                level.as_str()
            },
        );
        let outside = counts.live + counts.overlay;
        for count in [counts.hit, counts.miss, counts.injected, counts.refused, outside] {
            let _ = write!(html, "<td class=\"n\">{count}</td>");
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table>\n");
    if calls.misses.is_empty() {
        return;
    }
    let title = wording.pick("기록이 없던 호출", "Calls without a recorded answer");
    let _ = writeln!(html, "<p>{title}</p>\n<ul class=\"findings\">");
    for miss in &calls.misses {
        let _ = writeln!(
            html,
            "<li>{} #{}: {} <code>{}</code></li>",
            esc(&miss.task),
            miss.repetition,
            esc(&miss.tool),
            esc(&miss.arguments.to_string()),
        );
    }
    html.push_str("</ul>\n");
}

fn class(grade: Grade) -> &'static str {
    match grade {
        Grade::Comparable => "comparable",
        Grade::Limited => "limited",
        Grade::NotComparable => "not_comparable",
    }
}
