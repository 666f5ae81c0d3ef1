//! The image of an agent, with the packages of its definition. Its base has Node, Python, git and
//! ripgrep, or is chosen by the user.

use super::owner;
use crate::definition::Definition;
use koab_core::cache_key::sha256_hex;
use koab_core::say;
use koab_engine::egress::Gate;
use koab_engine::ports::Cancel;
use koab_scenarios::docker::{Engine, ImageSpec};
use koab_scenarios::engine_error;
use koab_workspace::{Home, WireError};
use serde::Serialize;
use serde_json::json;

/// Dockerfile of the base image that is built if the user names no other base.
const BASE: &str = include_str!("Dockerfile");
/// Images that the default base image is built from.
const BASES: [&str; 2] = ["node:22-bookworm-slim", "python:3.12-slim-bookworm"];
/// Number of hex digits of a hash in an image's tag.
const TAG: usize = 12;
/// Line in a build's output when the base image has no Python.
const NO_PYTHON: &str = "koab-no-python";

/// An image that was built.
#[derive(Clone, Debug, Serialize)]
pub struct ImageBuild {
    /// Name of the agent.
    pub agent: String,
    /// Name and tag of the image.
    pub image: String,
    /// Hash of the image.
    pub id: String,
}

/// Name and tag of an agent's image. The tag is a hash of the packages.
///
/// Other versions of the packages therefore have another image, and definitions with the same
/// packages share an image.
pub(crate) fn name(definition: &Definition) -> String {
    let packages = &definition.packages;
    let first = packages.npm.first().or(packages.pip.first());
    let label = first.unwrap_or(&definition.name);
    let plain = |letter: char| match letter.to_ascii_lowercase() {
        letter @ ('a'..='z' | '0'..='9') => letter,
        _ => ' ',
    };
    let plain: String = label.chars().map(plain).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let hash = sha256_hex(&json!([first.is_none().then_some(label), packages]).to_string());
    format!("koab-agent-{}:{}", words.join("-"), &hash[..TAG])
}

/// Builds the image of an agent from this base image or from the default one. `said` receives each
/// line of the build's output.
///
/// # Errors
/// When no engine answers, the base is not a valid name, the build fails, or koab is offline and a
/// download is needed.
pub async fn build_image(
    definition: &Definition,
    base: Option<&str>,
    home: &Home,
    gate: &Gate,
    cancel: &Cancel,
    said: &mut (dyn FnMut(&str) + Send),
) -> Result<ImageBuild, WireError> {
    if let Some(base) = base
        && (base.is_empty() || base.starts_with('-') || !base.chars().all(is_of_a_name))
    {
        return Err(WireError::bad_request(say!(
            "{base} is not the name of an image, such as python:3.12-slim"
        )));
    }
    let engine = Engine::find(gate).await.map_err(engine_error)?;
    let ours = format!("koab-agents:{}", &sha256_hex(BASE)[..TAG]);
    if base.is_none() && engine.local_image(&ours).await.map_err(engine_error)?.is_none() {
        let spec = ImageSpec {
            name: ours.clone(),
            bases: BASES.map(str::to_owned).into(),
            dockerfile: BASE.to_owned(),
            hosts: vec!["deb.debian.org".to_owned()],
        };
        engine.build_image(&spec, cancel, said).await.map_err(engine_error)?;
    }
    let spec = spec(definition, base.unwrap_or(&ours));
    let mut no_python = false;
    let mut heard = |line: &str| {
        if line == NO_PYTHON {
            no_python = true;
        } else {
            said(line);
        }
    };
    let built = engine.build_image(&spec, cancel, &mut heard).await;
    let image = built.map_err(|error| {
        if no_python {
            WireError::bad_request(say!(
                "{} has no python3, through which an agent in a container reaches its model; name a base that has it",
                base.unwrap_or(&ours)
            ))
        } else {
            engine_error(error)
        }
    })?;
    let owner = owner(home)?;
    engine.try_to_start(&image, &owner).await.map_err(engine_error)?;
    Ok(ImageBuild { agent: definition.name.clone(), image: image.name, id: image.id })
}

fn is_of_a_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_' | '/' | ':' | '@')
}

/// Build instructions for the image of an agent.
///
/// Packages that the base image already has are not installed again, so that an engine without a
/// network can build the image. When koab is offline, the hosts are refused before the build,
/// because the content of the base is not known.
fn spec(definition: &Definition, base: &str) -> ImageSpec {
    let (npm, pip) = (&definition.packages.npm, &definition.packages.pip);
    let mut lines = vec![
        format!("FROM {base}"),
        "USER root".to_owned(),
        step(
            "command -v python3 >/dev/null || command -v python >/dev/null || { echo \"$0\"; exit 1; }",
            NO_PYTHON,
            &[],
        ),
    ];
    let mut hosts = Vec::new();
    if !npm.is_empty() {
        hosts.push("registry.npmjs.org".to_owned());
        lines.push(step(
            "npm ls --global --depth=0 \"$@\" >/dev/null 2>&1 || npm install --global --no-audit --no-fund --no-update-notifier -- \"$@\"",
            "sh",
            npm,
        ));
    }
    if !pip.is_empty() {
        hosts.extend(["pypi.org", "files.pythonhosted.org"].map(str::to_owned));
        // If the distribution manages Python's packages, pip refuses even installed ones.
        lines.push(step(
            "PIP_BREAK_SYSTEM_PACKAGES=1 python3 -m pip install --no-cache-dir --disable-pip-version-check --root-user-action=ignore -- \"$@\"",
            "sh",
            pip,
        ));
    }
    ImageSpec {
        name: name(definition),
        bases: vec![base.to_owned()],
        dockerfile: lines.join("\n") + "\n",
        hosts,
    }
}

/// Converts a shell command to a step of a build. The shell never interprets the arguments.
fn step(line: &str, zero: &str, given: &[String]) -> String {
    let words = ["sh", "-c", line, zero].into_iter();
    let words: Vec<&str> = words.chain(given.iter().map(String::as_str)).collect();
    format!("RUN {}", json!(words))
}

#[cfg(test)]
mod tests;
