//! Reference data of tests from public sources, pinned by hash (`xtask/parity.toml`).
//!
//! A set is fetched file by file into `<folder>/<name>.part` and renamed when every file has its
//! hash, so a test never sees half a set. A fetch that was cut continues where it stopped.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context as _, bail, ensure};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::checkout::Checkout;
use crate::out;

/// Variable with the base address of another server that has the same paths as [`RAW`].
const MIRROR: &str = "KOAB_PARITY_FROM";
/// Address of single files of repositories: `<address>/<owner>/<repository>/<revision>/<path>`.
const RAW: &str = "https://raw.githubusercontent.com";
/// Address of the repositories in the list.
const REPOSITORIES: &str = "https://github.com/";
/// Value of `source` for data without a public source.
const NO_SOURCE: &str = "none";
/// Exit codes of curl if the server does not send the rest of a file.
const NO_REST: [i32; 2] = [22, 33];

/// The list of all data sets.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    set: Vec<DataSet>,
}

/// A set of reference data that `xtask/parity.toml` describes, with its source.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DataSet {
    /// Name, which is also the name of its folder.
    name: String,
    /// Contents in a few words.
    #[serde(default)]
    content: String,
    /// Tests that need the data.
    tests: Vec<String>,
    /// Page of the repository, or [`NO_SOURCE`].
    source: String,
    /// Commit of the repository.
    #[serde(default)]
    revision: String,
    /// Beginning of the files' paths in the repository.
    #[serde(default)]
    below: String,
    /// Reason for the missing source.
    #[serde(default)]
    reason: String,
    /// Path of each file in the set → its SHA-256 in hexadecimal.
    #[serde(default)]
    sha256: BTreeMap<String, String>,
}

/// Runs `cargo xtask setup parity [FOLDER]`: fetches each set that has a public source.
///
/// # Errors
/// When the list is invalid, a file cannot be fetched, or a file differs from its hash.
pub(crate) fn run(checkout: &Checkout, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let folder = match arguments {
        [] => checkout.root.join("target/parity"),
        [folder] if !folder.starts_with('-') => std::path::absolute(folder)?,
        _ => bail!("usage: cargo xtask setup parity [FOLDER]"),
    };
    let base = std::env::var(MIRROR).unwrap_or_else(|_| RAW.to_owned());
    let list = List::read(checkout)?;
    for set in &list.set {
        if set.source == NO_SOURCE {
            out::line(format_args!("{}: no public source: {}", set.name, set.reason));
            continue;
        }
        set.fetch(&base, &folder)?;
        let tests = set.tests.len();
        out::line(format_args!(
            "{}: {}, {} files, needed by {tests} groups of tests",
            set.name,
            set.content,
            set.sha256.len()
        ));
    }
    if !arguments.is_empty() {
        out::line(format_args!("tests find it with KOAB_PARITY={}", folder.display()));
    }
    Ok(ExitCode::SUCCESS)
}

impl List {
    fn read(checkout: &Checkout) -> anyhow::Result<Self> {
        let path = checkout.root.join("xtask/parity.toml");
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(&text).with_context(|| format!("{} is invalid", path.display()))
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let list: Self = toml::from_str(text)?;
        list.set.iter().try_for_each(DataSet::check)?;
        Ok(list)
    }
}

impl DataSet {
    /// Checks what the types do not: a set has files and a revision, or a reason for having none.
    fn check(&self) -> anyhow::Result<()> {
        let name = &self.name;
        if self.source == NO_SOURCE {
            ensure!(!self.reason.is_empty() && self.sha256.is_empty(), "{name} needs a reason and no files");
            return Ok(());
        }
        ensure!(self.source.starts_with(REPOSITORIES), "the source of {name} is not a repository of GitHub");
        ensure!(self.revision.len() == 40 && !self.sha256.is_empty(), "{name} needs a commit and files");
        for (path, hash) in &self.sha256 {
            let is_below = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
            ensure!(
                is_below && hash.len() == 64,
                "{path} of {name} needs a path within the set and a SHA-256"
            );
        }
        Ok(())
    }

    /// Fetches the missing files. Files that are there are compared with their hashes.
    fn fetch(&self, base: &str, folder: &Path) -> anyhow::Result<()> {
        let whole = folder.join(&self.name);
        let part = folder.join(format!("{}.part", self.name));
        let place = if whole.is_dir() { &whole } else { &part };
        for (path, hash) in &self.sha256 {
            self.fetch_file(base, path, hash, &place.join(path))?;
        }
        if place == &part {
            fs::rename(&part, &whole).with_context(|| format!("cannot make {}", whole.display()))?;
        }
        Ok(())
    }

    /// Fetches a file, unless it is there with this hash.
    fn fetch_file(&self, base: &str, path: &str, hash: &str, to: &Path) -> anyhow::Result<()> {
        if to.exists() {
            let is_same = sha256(to)? == hash;
            ensure!(is_same, "{} differs from its hash; remove it to have it fetched again", to.display());
            return Ok(());
        }
        fs::create_dir_all(to.parent().context("a file has a folder")?)?;
        let repository = self.source.trim_start_matches(REPOSITORIES);
        let address = format!("{base}/{repository}/{}/{}{path}", self.revision, self.below);
        let partial = PathBuf::from(format!("{}.partial", to.display()));
        let is_resumed = partial.exists();
        let mut code = if is_resumed && sha256(&partial)? == hash { 0 } else { curl(&address, &partial)? };
        if is_resumed && (NO_REST.contains(&code) || code == 0 && sha256(&partial)? != hash) {
            // The beginning may be of another file.
            fs::remove_file(&partial)?;
            code = curl(&address, &partial)?;
        }
        ensure!(code == 0, "{address} was not fetched (curl ends with {code}); the same command continues");
        let hash_of_file = sha256(&partial)?;
        if hash_of_file != hash {
            fs::remove_file(&partial)?;
            bail!("{address} is another file and was not kept: its SHA-256 is {hash_of_file}, not {hash}");
        }
        fs::rename(&partial, to).with_context(|| format!("cannot make {}", to.display()))
    }
}

/// Fetches the rest of a file whose beginning may already be at `to`. Returns curl's exit code.
fn curl(address: &str, to: &Path) -> anyhow::Result<i32> {
    let mut curl = Command::new("curl");
    curl.args(["--fail", "--silent", "--show-error", "--location", "--max-time", "600"]);
    curl.args(["--continue-at", "-", "--output"]).arg(to).arg(address).stdin(Stdio::null());
    let status = curl.status().context("cannot start curl, which fetches the data")?;
    status.code().context("curl was ended by a signal; the same command continues")
}

/// SHA-256 of a file in hexadecimal.
fn sha256(path: &Path) -> anyhow::Result<String> {
    let content = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::net::TcpListener;
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::command;

    const CONTENT: &[u8] = b"the content of a published file";

    /// A server that sends these bodies in turn, and its requests. A body may be shorter than the
    /// length that its head says.
    struct Server {
        base: String,
        requests: Arc<Mutex<Vec<String>>>,
    }

    impl Server {
        fn start(answers: Vec<(u16, usize, &'static [u8])>) -> Self {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let base = format!("http://{}", listener.local_addr().unwrap());
            let requests = Arc::<Mutex<Vec<String>>>::default();
            let kept = Arc::clone(&requests);
            std::thread::spawn(move || {
                for (status, length, body) in answers {
                    let (mut stream, _) = listener.accept().unwrap();
                    let lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
                    let request: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
                    kept.lock().unwrap().push(request.join("\n"));
                    let end = CONTENT.len();
                    let range = format!("bytes {}-{}/{end}", end - length.min(end), end - 1);
                    let head =
                        format!("content-length: {length}\r\ncontent-range: {range}\r\nconnection: close");
                    write!(stream, "HTTP/1.1 {status} x\r\n{head}\r\n\r\n").unwrap();
                    stream.write_all(body).unwrap();
                }
            });
            Self { base, requests }
        }

        fn requests(&self) -> Vec<String> {
            self.requests.lock().unwrap().clone()
        }
    }

    fn set() -> DataSet {
        let hash: String = Sha256::digest(CONTENT).iter().map(|byte| format!("{byte:02x}")).collect();
        let text = format!(
            "[[set]]\nname = \"runs\"\ntests = []\nsource = \"https://github.com/a/b\"\nbelow = \"c/\"\n\
             revision = \"{}\"\n[set.sha256]\n\"logs/one.json\" = \"{hash}\"\n",
            "1".repeat(40)
        );
        List::parse(&text).unwrap().set.remove(0)
    }

    fn has_curl() -> bool {
        let has = command::which("curl").is_some();
        if !has {
            out::line("SKIP: there is no curl");
        }
        has
    }

    #[test]
    fn a_set_is_there_when_each_file_has_its_hash() {
        if !has_curl() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(vec![(200, CONTENT.len(), CONTENT)]);
        set().fetch(&server.base, folder.path()).unwrap();
        assert_eq!(fs::read(folder.path().join("runs/logs/one.json")).unwrap(), CONTENT);
        let path = format!("GET /a/b/{}/c/logs/one.json ", "1".repeat(40));
        assert!(server.requests()[0].starts_with(&path), "{:?}", server.requests());
        // The server has ended: nothing is asked again.
        set().fetch(&server.base, folder.path()).unwrap();
        fs::write(folder.path().join("runs/logs/one.json"), "changed").unwrap();
        let error = set().fetch(&server.base, folder.path()).unwrap_err().to_string();
        assert!(error.contains("one.json differs"), "{error}");
    }

    #[test]
    fn a_file_with_another_hash_is_refused_and_not_kept() {
        if !has_curl() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(vec![(200, 5, b"other")]);
        let error = set().fetch(&server.base, folder.path()).unwrap_err().to_string();
        assert!(error.contains("is another file and was not kept"), "{error}");
        assert_eq!(fs::read_dir(folder.path().join("runs.part/logs")).unwrap().count(), 0);
        assert!(!folder.path().join("runs").exists());
    }

    #[test]
    fn a_cut_download_continues_where_it_stopped() {
        if !has_curl() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let (begin, rest) = CONTENT.split_at(9);
        let server = Server::start(vec![(200, CONTENT.len(), begin), (206, rest.len(), rest)]);
        let error = set().fetch(&server.base, folder.path()).unwrap_err().to_string();
        assert!(error.contains("the same command continues"), "{error}");
        assert!(!folder.path().join("runs").exists());
        set().fetch(&server.base, folder.path()).unwrap();
        assert_eq!(fs::read(folder.path().join("runs/logs/one.json")).unwrap(), CONTENT);
        assert!(server.requests()[1].to_lowercase().contains("range: bytes=9-"));
    }

    #[test]
    fn a_beginning_of_another_file_is_fetched_anew() {
        if !has_curl() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let logs = folder.path().join("runs.part/logs");
        fs::create_dir_all(&logs).unwrap();
        fs::write(logs.join("one.json.partial"), "wrong").unwrap();
        let server =
            Server::start(vec![(206, CONTENT.len() - 5, &CONTENT[5..]), (200, CONTENT.len(), CONTENT)]);
        set().fetch(&server.base, folder.path()).unwrap();
        assert_eq!(fs::read(folder.path().join("runs/logs/one.json")).unwrap(), CONTENT);
        assert_eq!(server.requests().len(), 2);
    }

    #[test]
    fn the_committed_list_is_valid_and_others_are_refused() {
        let list = List::parse(include_str!("../../parity.toml")).unwrap();
        let with_source = list.set.iter().filter(|set| set.source != NO_SOURCE);
        assert_eq!(with_source.map(|set| set.sha256.len()).collect::<Vec<_>>(), [80, 7, 8, 23]);
        let set = "[[set]]\nname = \"a\"\ntests = []\nsource = ";
        let hash = "0".repeat(64);
        let commit = "1".repeat(40);
        for text in [
            format!("{set}\"none\""),
            format!("{set}\"https://example.org/a/b\""),
            format!("{set}\"https://github.com/a/b\"\nrevision = \"main\"\nsha256 = {{ x = \"{hash}\" }}"),
            format!(
                "{set}\"https://github.com/a/b\"\nrevision = \"{commit}\"\nsha256 = {{ \"../x\" = \"{hash}\" }}"
            ),
            format!("{set}\"https://github.com/a/b\"\nrevision = \"{commit}\"\nsha256 = {{ x = \"1\" }}"),
        ] {
            assert!(List::parse(&text).is_err(), "{text}");
        }
    }
}
