//! Names of the files of a bundle, and rules for the names of entries.

use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::sentence::Sentence;

/// Manifest of the bundle, which is the first entry.
pub const MANIFEST: &str = "koab.json";
/// Signature over the bytes of [`MANIFEST`]; the second entry, if there is one.
pub const SIGNATURE: &str = "koab.sig";
/// Path of the description of the run. Only runs of this product have it.
pub const RUN: &str = "run/run.json";
/// Path of the journal with every step of the run. Only runs of this product have it.
pub const JOURNAL: &str = "run/journal.jsonl";
/// Manifest of the pack.
pub const PACK_MANIFEST: &str = "pack/pack.json";
/// Tool catalog.
pub const TOOLS: &str = "pack/tools.json";
/// Prompts of the judges.
pub const PROMPTS: &str = "pack/judge_prompts.yaml";

/// Folder of the files of another benchmark's pack.
pub const ITEMS: &str = "pack/items/";
/// Folder of the logs of another benchmark's groups.
pub(super) const GROUP_LOGS: &str = "run/groups/";

/// Path of the log of a level.
pub fn level_log(level: &Level) -> String {
    format!("run/{}", level.log_file())
}

/// Path of the tasks of a level.
pub fn level_tasks(level: &Level) -> String {
    format!("pack/tasks/{level}.json")
}

/// Path of the cached responses of a tool. Only those that answered calls of the run are included.
pub fn records(tool: &str) -> String {
    format!("records/{tool}.jsonl")
}

/// Path of a file that belongs to the report by a scorer.
pub fn report(scorer: Protocol, file: &str) -> String {
    format!("reports/{}/{file}", scorer.as_str())
}

/// Path of the verdicts that a scorer's report is based on.
pub fn verdicts(scorer: Protocol) -> String {
    format!("verdicts/{}.jsonl", scorer.as_str())
}

/// Checks that an entry may have this name, which consists of parts separated by slashes.
///
/// A part must not be empty, lead to another folder, or contain characters that some systems
/// interpret.
///
/// # Errors
/// The reason, as the end of a sentence whose subject is the name.
pub fn is_place(name: &str) -> Result<(), Sentence> {
    if name.len() > 400 {
        return Err(say!("is longer than 400 bytes"));
    }
    if name.starts_with('/') {
        return Err(say!("is an absolute path"));
    }
    if name.contains('\\') {
        return Err(say!("has a backslash, which some systems read as a separator of folders"));
    }
    if name.as_bytes().get(1) == Some(&b':') {
        return Err(say!("names a drive"));
    }
    for part in name.split('/') {
        if part.is_empty() {
            return Err(say!("has a part without a name"));
        }
        if part.trim_end_matches(['.', ' ']).is_empty() {
            return Err(say!("leads out of the bundle"));
        }
        let odd = |c: char| c.is_control() || matches!(c, ':' | '*' | '?' | '"' | '<' | '>' | '|');
        if part.contains(odd) || part.ends_with(['.', ' ']) {
            return Err(say!("has a part that is not a valid name on every system"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::is_place;

    #[test]
    fn only_plain_relative_names_are_places() {
        for (name, verdict) in [
            ("run/L1.json", Ok(())),
            ("submission/모델/README.md", Ok(())),
            ("../L1.json", Err("leads out of the bundle")),
            ("run/../../x", Err("leads out of the bundle")),
            ("run/.. /x", Err("leads out of the bundle")),
            ("/etc/passwd", Err("is an absolute path")),
            ("C:/x", Err("names a drive")),
            ("run\\L1.json", Err("has a backslash, which some systems read as a separator of folders")),
            ("run//L1.json", Err("has a part without a name")),
            ("run/", Err("has a part without a name")),
            ("run/L1.json:x", Err("has a part that is not a valid name on every system")),
            ("run/a.", Err("has a part that is not a valid name on every system")),
            ("run/a\u{1}", Err("has a part that is not a valid name on every system")),
        ] {
            let found = is_place(name).map_err(|why| why.to_string());
            assert_eq!(found.as_ref().map_err(String::as_str).copied(), verdict, "{name}");
        }
    }
}
