//! What a person has to say.

use super::evidence::Evidence;
use super::{ObjectionCode, ObjectionSeverity, Objections, Told, within};
use crate::submission::files::paths;
use crate::submission::names::ModelType;

pub(super) fn check(evidence: &Evidence<'_>, found: &mut Objections) {
    use ObjectionSeverity::{Asked, Blocks};
    let names = &evidence.submission.names;
    let is_open = names.model_type == Some(ModelType::Oss);
    let is_said = |text: &str| !text.trim().is_empty() && text.trim() != "Unknown";
    let rows: [(bool, &str, &str, Told, ObjectionSeverity); 6] = [
        (
            is_said(&names.model),
            "model",
            "--name",
            Told::WhatModel {},
            Blocks,
        ),
        (
            is_said(&names.vendor),
            "vendor",
            "--vendor",
            Told::WhatVendor {},
            Blocks,
        ),
        (
            names.model_type.is_some(),
            "model_type",
            "--type",
            Told::WhatType {},
            Blocks,
        ),
        (
            is_said(&names.contact),
            "contact",
            "--contact",
            Told::WhatContact {},
            Asked,
        ),
        (
            !is_open || is_said(&names.licence),
            "licence",
            "--licence",
            Told::WhatLicence {},
            Asked,
        ),
        (
            !is_open || is_said(&names.repo),
            "repo",
            "--repo",
            Told::WhatRepo {},
            Asked,
        ),
    ];
    for (is_there, field, option, what, severity) in rows {
        if !is_there {
            let (what, option) = (what.to_string(), option.to_owned());
            let place = within(paths::SUBMISSION, &format!("names.{field}"));
            let code = ObjectionCode::MissingName;
            found.push(
                code,
                severity,
                place,
                Told::NoName { what },
                Told::SayName { option },
            );
        }
    }
    let model = &evidence.submission.model_id;
    if model.starts_with("baseline/") {
        let said = Told::Baseline { model: model.clone() };
        let place = within(paths::SUBMISSION, "model_id");
        found.blocks(ObjectionCode::NotAModel, place, said, Told::RunModel {});
    }
}
