//! Parts of every table on the page: the header, and a cell with an interval.

use crate::interval::Bounds;
use koab_core::sentence::Language;
use koab_core::shown;
use maud::{Markup, html};
use std::ops::RangeBounds;

/// Table header from English column names. The headers of the columns `figures` are aligned like
/// numbers.
pub(super) fn columns<'a>(
    language: Language,
    names: impl IntoIterator<Item = &'a str>,
    figures: impl RangeBounds<usize>,
) -> Markup {
    html! {
        thead {
            tr {
                @for (place, name) in names.into_iter().enumerate() {
                    th scope="col" class=[figures.contains(&place).then_some("n")] { (language.text(name)) }
                }
            }
        }
    }
}

pub(super) fn interval(bounds: &Bounds, language: Language) -> Markup {
    match bounds {
        Ok(found) => html! { (shown::ends(found.low, found.high)) },
        Err(reason) => html! { span title=(language.say(reason)) { (shown::NONE) } },
    }
}
