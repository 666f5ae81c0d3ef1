//! Validates names from a hub and its users before they become URLs or paths.

use crate::hub::{Hub, HubError, Repo};
use reqwest::Url;

/// Checks the names of a repository and a revision.
///
/// # Errors
/// One sentence with an example of a valid name.
pub(super) fn check(repo: Repo<'_>, revision: &str) -> Result<(), HubError> {
    let word = |word: &str| {
        !word.is_empty()
            && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
            && !word.starts_with(['.', '-'])
            && !word.ends_with(['.', '-'])
            && !word.contains("..")
            && !word.contains("--")
    };
    let words: Vec<&str> = repo.name.split('/').collect();
    if words.len() > 2 || !words.iter().all(|one| word(one)) || repo.name.len() > 96 {
        return Err(HubError::bad_repository(repo));
    }
    if revision.is_empty() || !is_plain_path(revision) {
        return Err(HubError::BadRevision(revision.to_owned()));
    }
    Ok(())
}

/// Whether a path stays below the folder that it is joined to, on every system.
pub(super) fn is_plain_path(path: &str) -> bool {
    path.len() < 1024
        && path.split('/').all(|part| {
            !part.is_empty()
                && !part.starts_with("..")
                && part != "."
                && !part.contains(['\\', ':', '\0'])
                && !part.chars().any(char::is_control)
        })
}

impl Hub {
    /// URL of a resource of a repository. `before` and `behind` are whole segments; `path` keeps
    /// its slashes.
    pub(super) fn address(
        &self,
        before: &[&str],
        repo: &str,
        behind: &[&str],
        path: &str,
    ) -> Result<Url, HubError> {
        let mut url = self.base.itself();
        {
            let mut segments =
                url.path_segments_mut().map_err(|()| self.unreachable("its address has no path"))?;
            segments.pop_if_empty().extend(before).extend(repo.split('/')).extend(behind);
            if !path.is_empty() {
                segments.extend(path.split('/'));
            }
        }
        Ok(url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub::RepoKind;
    use koab_engine::egress::Purpose;

    fn check(name: &str, revision: &str) -> Result<(), HubError> {
        let kind = RepoKind::Model;
        super::check(Repo { kind, name }, revision)
    }

    #[test]
    fn names_that_could_leave_their_folder_are_refused() {
        for good in ["gpt2", "Qwen/Qwen2.5-7B-Instruct", "kakaocorp/kanana-1.5-8b"] {
            assert!(check(good, "main").is_ok(), "{good}");
        }
        for bad in ["", "a/b/c", "../x", "a/..", "a//b", "a b/c", "models--a/b", "a/b?x", ".a/b"] {
            assert!(check(bad, "main").is_err(), "{bad}");
        }
        for bad in ["", "..", "a/../b", "/a", "a\\b", "C:x"] {
            assert!(check("a/b", bad).is_err(), "{bad}");
        }
        assert!(check("a/b", "refs/pr/1").is_ok());
        assert!(is_plain_path("onnx/model.onnx") && !is_plain_path("../../.ssh/key"));
    }

    #[test]
    fn a_revision_with_slashes_stays_one_segment_and_a_mirror_keeps_its_path() {
        let hub =
            Hub::new(&crate::http::testing::network(), "https://mirror.example/hf/", None, Purpose::Weights)
                .expect("a hub");
        let url = hub.address(&["api", "models"], "a/b", &["revision", "refs/pr/1"], "");
        assert_eq!(
            url.expect("an address").as_str(),
            "https://mirror.example/hf/api/models/a/b/revision/refs%2Fpr%2F1"
        );
        let url = hub.address(&[], "a/b", &["resolve", "c0ffee"], "sub/the model#1.gguf");
        assert_eq!(
            url.expect("an address").as_str(),
            "https://mirror.example/hf/a/b/resolve/c0ffee/sub/the%20model%231.gguf"
        );
    }
}
