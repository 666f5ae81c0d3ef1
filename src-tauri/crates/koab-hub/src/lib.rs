//! The cache that Hugging Face's tools share, on this disk: whatever is written here Python's
//! `huggingface_hub` finds, and the other way round.
//!
//! Only the layout: fetching is `koab-providers`' (`hub`), and what a repository's files mean is
//! for those who know models (`koab-local`) or packs (`koab-store`). Pure file system, and below
//! all of them: it names no other crate of ours.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod repository;

pub use repository::{Repository, walk};

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The shared cache's folder, by the rules of `huggingface_hub`.
///
/// `HF_HUB_CACHE`, `HUGGINGFACE_HUB_CACHE`, `hub` in `HF_HOME`, else
/// in `XDG_CACHE_HOME` or the user's `.cache`. `None` when the system names no home.
pub fn hub_folder(environment: &dyn Fn(&str) -> Option<OsString>, home: Option<&Path>) -> Option<PathBuf> {
    let set = |name: &str| {
        let value = environment(name).filter(|value| !value.is_empty())?;
        let path = PathBuf::from(value);
        match (path.strip_prefix("~"), home) {
            (Ok(rest), Some(home)) => Some(home.join(rest)),
            _ => Some(path),
        }
    };
    set("HF_HUB_CACHE").or_else(|| set("HUGGINGFACE_HUB_CACHE")).or_else(|| {
        let root = set("HF_HOME").or_else(|| {
            let caches = set("XDG_CACHE_HOME").or_else(|| Some(home?.join(".cache")))?;
            Some(caches.join("huggingface"))
        })?;
        Some(root.join("hub"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_is_where_python_looks_for_it() {
        let home = Path::new("/home/kim");
        let at = |set: &[(&str, &str)]| {
            let value =
                |name: &str| set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).into());
            hub_folder(&value, Some(home)).expect("a folder").display().to_string()
        };
        assert_eq!(at(&[]), "/home/kim/.cache/huggingface/hub");
        assert_eq!(at(&[("XDG_CACHE_HOME", "/c")]), "/c/huggingface/hub");
        assert_eq!(at(&[("XDG_CACHE_HOME", "/c"), ("HF_HOME", "~/hf")]), "/home/kim/hf/hub");
        assert_eq!(at(&[("HF_HOME", "/hf"), ("HUGGINGFACE_HUB_CACHE", "/old")]), "/old");
        assert_eq!(at(&[("HUGGINGFACE_HUB_CACHE", "/old"), ("HF_HUB_CACHE", "/new")]), "/new");
        assert_eq!(at(&[("HF_HUB_CACHE", "")]), "/home/kim/.cache/huggingface/hub");
        assert_eq!(hub_folder(&|_| None, None), None);
    }
}
