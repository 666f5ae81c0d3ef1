//! Lists a repository, with `GET /api/models/REPO/revision/REV?blobs=true`.

use crate::hub::addresses::{check, is_plain_path};
use crate::hub::{FileHash, Hub, HubError, IDLE_TIMEOUT, Repo, failed};
use koab_core::say;
use serde::Deserialize;
use serde_json::Value;

/// A repository at one commit.
#[derive(Clone, Debug, PartialEq)]
pub struct Repository {
    /// Name in the hub's spelling; the repository may have been moved.
    pub repo: String,
    /// Commit hash.
    pub commit: String,
    /// All files of the repository.
    pub files: Vec<HubFile>,
    /// Short name of the licence, such as `apache-2.0`. If that is `other`, the name that the
    /// authors gave it.
    pub licence: Option<String>,
    /// Whether the user must accept terms before files can be downloaded.
    pub gated: bool,
    /// Architectures that the configuration names, such as `Qwen2ForCausalLM`.
    pub architectures: Vec<String>,
    /// Number of parameters, as the hub counted them.
    pub parameters: Option<u64>,
    /// Longest context in tokens, if the hub knows it (GGUF).
    pub context: Option<u64>,
}

/// A file of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HubFile {
    /// Path in the repository.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
    /// Expected hash of the content.
    pub hash: FileHash,
}

#[derive(Deserialize)]
struct Answer {
    id: Option<String>,
    sha: String,
    #[serde(default)]
    siblings: Vec<Sibling>,
    #[serde(default)]
    gated: Value,
    #[serde(rename = "cardData")]
    card: Option<Value>,
    config: Option<Value>,
    safetensors: Option<Value>,
    gguf: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sibling {
    rfilename: String,
    size: Option<u64>,
    blob_id: Option<String>,
    lfs: Option<Lfs>,
}

#[derive(Deserialize)]
struct Lfs {
    sha256: String,
    size: Option<u64>,
}

impl Hub {
    /// Lists a repository at a revision: a branch, a tag or a commit.
    ///
    /// # Errors
    /// When the hub refuses, or its answer is invalid.
    pub async fn repository(&self, repo: Repo<'_>, revision: &str) -> Result<Repository, HubError> {
        check(repo, revision)?;
        let before = ["api", repo.kind.plural()];
        let mut url = self.address(&before, repo.name, &["revision", revision], "")?;
        url.set_query(Some("blobs=true"));
        let answer = tokio::time::timeout(IDLE_TIMEOUT, self.get(url.clone(), None))
            .await
            .map_err(|_| self.unreachable(say!("it does not answer")))??;
        if !answer.status().is_success() {
            return Err(self.refused(answer, repo, revision).await);
        }
        let body = tokio::time::timeout(IDLE_TIMEOUT, answer.bytes())
            .await
            .map_err(|_| self.unreachable(say!("it stopped in the middle of its answer")))?
            .map_err(|error| failed(self.shown(), error))?;
        read(repo.name, &body)
    }
}

/// Parses the answer. It must have the sizes and hashes of all files, because they are needed for
/// verification.
fn read(name: &str, body: &[u8]) -> Result<Repository, HubError> {
    let bad = |why: &str| HubError::Unreadable { repo: name.to_owned(), why: why.into() };
    let answer: Answer = serde_json::from_slice(body).map_err(|error| bad(&error.to_string()))?;
    if !matches!(FileHash::of_hex(&answer.sha), Some(FileHash::GitSha1(_))) {
        return Err(bad("it names no commit"));
    }
    let files = answer
        .siblings
        .into_iter()
        .map(|file| {
            if !is_plain_path(&file.rfilename) {
                return Err(bad("it names a file that would lie outside its folder"));
            }
            let (hash, size) = match &file.lfs {
                Some(lfs) => (Some(&lfs.sha256), lfs.size.or(file.size)),
                None => (file.blob_id.as_ref(), file.size),
            };
            let hash = hash.and_then(|hex| FileHash::of_hex(hex));
            let (Some(hash), Some(size)) = (hash, size) else {
                return Err(bad(&format!("it gives no size and hash for {}", file.rfilename)));
            };
            Ok(HubFile { path: file.rfilename, size, hash })
        })
        .collect::<Result<Vec<_>, _>>()?;
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let card = |field: &str| text(answer.card.as_ref().and_then(|card| card.get(field)));
    let licence = match card("license").as_deref() {
        Some("other") => card("license_name").or_else(|| Some("other".to_owned())),
        other => other.map(str::to_owned),
    };
    let number = |facts: &Option<Value>, field: &str| facts.as_ref()?.get(field)?.as_u64();
    let from_config = answer.config.as_ref().and_then(|config| config.get("architectures"));
    let mut architectures: Vec<String> = from_config
        .and_then(Value::as_array)
        .map(|all| all.iter().filter_map(|one| text(Some(one))).collect())
        .unwrap_or_default();
    if architectures.is_empty() {
        architectures.extend(text(answer.gguf.as_ref().and_then(|gguf| gguf.get("architecture"))));
    }
    Ok(Repository {
        repo: answer.id.unwrap_or_else(|| name.to_owned()),
        commit: answer.sha,
        files,
        licence,
        gated: !matches!(answer.gated, Value::Null | Value::Bool(false)),
        architectures,
        parameters: number(&answer.safetensors, "total").or_else(|| number(&answer.gguf, "total")),
        context: number(&answer.gguf, "context_length"),
    })
}
