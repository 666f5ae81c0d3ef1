//! Comparability on the page: a badge next to the main number, then the reasons, the known facts,
//! and the cache misses.

use super::table::columns;
use crate::comparability::{CallsBasis, Comparability, Grade, conditions, level_calls, percent};
use koab_core::sentence::Language;
use koab_core::{shown, text};
use maud::{Markup, html};

/// Badge with the verdict in two words and the gravest reason.
pub(super) fn badge(comparability: &Comparability, language: Language) -> Markup {
    let judgement = &comparability.leaderboard;
    html! {
        p {
            span class={ "verdict " (class(judgement.grade)) } {
                (language.text(text!("With the leaderboard"))) ": " (language.text(judgement.grade.text()))
            }
            " "
            @if let Some(finding) = judgement.against().next() { (language.say(&finding.reason)) }
        }
    }
}

pub(super) fn section(comparability: &Comparability, language: Language) -> Markup {
    html! {
        section #comparability {
            h2 { (language.text(text!("Comparability"))) }
            ul.findings {
                @for finding in &comparability.leaderboard.findings {
                    li {
                        b class=(class(finding.grade)) { (language.text(finding.grade.text())) } " "
                        (language.say(&finding.reason)) " " span { (language.say(&finding.remedy)) }
                    }
                }
            }
            table {
                tbody {
                    @for (name, value) in conditions(comparability, language) {
                        tr { th scope="row" { code { (name) } } td { (value) } }
                    }
                }
            }
            (calls(comparability, language))
        }
    }
}

fn calls(comparability: &Comparability, language: Language) -> Markup {
    let Ok(calls) = comparability.facts.calls.get() else {
        return Markup::default();
    };
    let against = calls.against.as_ref().map(|pack| pack.label());
    let note = language
        .text(text!("The logs do not say how calls were answered; compared with the installed pack:"));
    let names = [
        text!("Level"),
        text!("Hit rate"),
        text!("Hit"),
        text!("Miss"),
        text!("Injected"),
        text!("Refused"),
        text!("Service"),
    ];
    html! {
        @if calls.basis == CallsBasis::Compared { p { (note) " " (against.unwrap_or_default()) } }
        table {
            (columns(language, names, 1..))
            tbody {
                @for (level, counts) in level_calls(comparability) {
                    tr {
                        th scope="row" {
                            @if level == "all" { (language.text(text!("All"))) } @else { (level) }
                        }
                        td.n { (counts.hit_rate().map_or_else(|| shown::NONE.to_owned(), percent)) }
                        @let outside = counts.live + counts.overlay;
                        @for count in [counts.hit, counts.miss, counts.injected, counts.refused, outside] {
                            td.n { (count) }
                        }
                    }
                }
            }
        }
        @if !calls.misses.is_empty() {
            p { (language.text(text!("Calls without a cached response"))) }
            ul.findings {
                @for miss in &calls.misses {
                    li {
                        (miss.task) " #" (miss.repetition) ": " (miss.tool) " "
                        code { (miss.arguments.to_string()) }
                        (miss.how_often())
                    }
                }
            }
        }
    }
}

fn class(grade: Grade) -> &'static str {
    match grade {
        Grade::Comparable => "comparable",
        Grade::Limited => "limited",
        Grade::NotComparable => "not_comparable",
    }
}
