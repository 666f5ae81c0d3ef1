//! The local cache that Hugging Face's tools share. Python's `huggingface_hub` finds files that
//! this crate writes, and this crate finds files that `huggingface_hub` writes.
//!
//! This crate implements only the layout of the cache: `koab-providers` (`hub`) downloads files,
//! and `koab-local` (models) and `koab-store` (packs) interpret them. It uses only the file system
//! and no other crate of this project.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod repository;

pub use repository::{Repository, walk};

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The folder of the shared cache, found by the rules of `huggingface_hub`.
///
/// The first one that is set decides: `HF_HUB_CACHE`, `HUGGINGFACE_HUB_CACHE`, `hub` in `HF_HOME`.
/// Otherwise the folder is `huggingface/hub` in `XDG_CACHE_HOME` or in the user's `.cache`. `None`
/// without any of these variables and without a home folder.
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
