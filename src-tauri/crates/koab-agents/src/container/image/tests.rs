use super::{build_image, name, spec};
use crate::definition::{Definition, Packages};
use crate::tests::{desk, refused_with};
use koab_engine::ports::Cancel;
use koab_workspace::Home;
use serde_json::Value;

fn with(name: &str, npm: &[&str], pip: &[&str]) -> Definition {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let packages = Packages { npm: owned(npm), pip: owned(pip) };
    Definition { name: name.to_owned(), packages, ..desk::program(&["sh"], &Value::Null) }
}

#[test]
fn an_image_is_named_by_what_it_installs() {
    for (definition, prefix) in [
        (with("a", &["@openai/codex@0.169.0"], &[]), "koab-agent-openai-codex-0-169-0:"),
        (with("a", &[], &["google-adk==1.2"]), "koab-agent-google-adk-1-2:"),
        (with("a", &["x@1"], &["y==2"]), "koab-agent-x-1:"),
        (with("My Agent!", &[], &[]), "koab-agent-my-agent:"),
        (with("한글", &[], &[]), "koab-agent-:"),
    ] {
        let image = name(&definition);
        let tag = image.strip_prefix(prefix).unwrap_or_else(|| panic!("{image}"));
        assert!(tag.len() == 12 && tag.chars().all(|c| c.is_ascii_hexdigit()), "{image}");
    }
    let of = |name_of: &str, npm: &[&str]| name(&with(name_of, npm, &[]));
    assert_eq!(of("codex", &["c@1"]), of("codex-acp", &["c@1"]), "two interfaces of one program");
    assert_ne!(of("codex", &["c@1"]), of("codex", &["c@2"]), "another version");
    assert_ne!(of("codex", &["c@1"]), of("codex", &["c@1", "d@1"]), "another package beside it");
    assert_ne!(of("a", &[]), of("a ", &[]), "two names without a package");
}

/// The words of a step of a build.
fn words(line: &str) -> Vec<String> {
    serde_json::from_str(line.strip_prefix("RUN ").expect("a step")).expect("words")
}

#[test]
fn packages_are_words_of_a_step_and_never_a_part_of_its_line() {
    let nasty = "x@1; rm -rf /";
    let built = spec(&with("a", &[nasty, "--global"], &["$(id)"]), "python:3.12");
    let lines: Vec<&str> = built.dockerfile.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[1]), (5, "FROM python:3.12", "USER root"));
    for (line, given) in [(lines[3], &[nasty, "--global"][..]), (lines[4], &["$(id)"])] {
        let words = words(line);
        assert_eq!(words[..2], ["sh", "-c"]);
        assert!(words[2].contains("-- \"$@\""), "{}", words[2]);
        assert_eq!(&words[4..], given);
    }
    assert_eq!(built.bases, ["python:3.12"]);
}

#[test]
fn only_hosts_of_what_is_installed_are_asked_for() {
    let npm = vec!["registry.npmjs.org"];
    let pip = vec!["pypi.org", "files.pythonhosted.org"];
    for (definition, hosts, lines) in [
        (with("a", &[], &[]), vec![], 3),
        (with("a", &["x@1"], &[]), npm.clone(), 4),
        (with("a", &[], &["y==1"]), pip.clone(), 4),
        (with("a", &["x@1"], &["y==1"]), [npm, pip].concat(), 5),
    ] {
        let built = spec(&definition, "base");
        assert_eq!(built.hosts, hosts);
        assert_eq!(built.dockerfile.lines().count(), lines);
        assert_eq!(built.name, name(&definition));
    }
}

#[tokio::test]
async fn a_base_that_is_no_name_is_refused_before_anything_is_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = Home::resolve(Some(folder.path().to_owned())).expect("a home");
    for base in ["", "-v", "a b", "a;b", "a\nRUN x", "$x", "한글"] {
        let (agent, gate, cancel) = (with("a", &[], &[]), koab_stand_ins::gate(), Cancel::new());
        let built = build_image(&agent, Some(base), &home, &gate, &cancel, &mut |_| {}).await;
        refused_with(built, &format!("{base} is not the name of an image, such as python:3.12-slim"));
    }
}
