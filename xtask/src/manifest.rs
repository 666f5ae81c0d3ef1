//! `cargo xtask manifest`: Tauri's static manifest (`latest.json`), from which the window's updater
//! reads a release.
//!
//! The manifest is made from the signatures of the release's packages. The caller passes the
//! addresses, because the repository does not contain any.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, bail, ensure};
use serde_json::{Value, json};

use crate::out;

const SIGNATURE: &str = ".sig";

/// Ending of a package's file name, the package's system, and the updater's name for the kind of
/// package.
const KINDS: [(&str, &str, &str); 5] = [
    (".deb", "linux", "deb"),
    (".rpm", "linux", "rpm"),
    (".AppImage", "linux", "appimage"),
    (".msi", "windows", "msi"),
    ("-setup.exe", "windows", "nsis"),
];

/// Word for a processor in a package's file name, and the updater's word for the processor.
const PROCESSORS: [(&str, &str); 6] = [
    ("amd64", "x86_64"),
    ("x86_64", "x86_64"),
    ("x64", "x86_64"),
    ("arm64", "aarch64"),
    ("aarch64", "aarch64"),
    ("x86", "i686"),
];

/// A release without its packages.
struct Release<'a> {
    version: &'a str,
    /// Time of the release, RFC 3339.
    date: &'a str,
    /// Address of the release notes.
    notes: &'a str,
    /// Address of the folder with the files.
    files: &'a str,
}

/// Prints the manifest for the signatures in a folder.
///
/// # Errors
/// When an argument is missing, or the folder does not have exactly one signature per package.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<ExitCode> {
    let (folder, rest) = arguments.split_first().context("manifest takes a folder with signatures")?;
    let option = |name: &str| -> anyhow::Result<&str> {
        let at = rest.iter().position(|word| word == name);
        at.and_then(|at| rest.get(at + 1))
            .map(String::as_str)
            .with_context(|| format!("manifest takes {name}"))
    };
    let release = Release {
        version: option("--version")?,
        date: option("--date")?,
        notes: option("--notes")?,
        files: option("--files")?,
    };
    let latest = manifest(&release, &signatures(Path::new(folder))?)?;
    out::line(format_args!("{latest:#}"));
    Ok(ExitCode::SUCCESS)
}

/// Signatures by the name of the signed file.
fn signatures(folder: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    let mut signatures = BTreeMap::new();
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if let Some(package) = name.strip_suffix(SIGNATURE) {
            let text =
                std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            signatures.insert(package.to_owned(), text.trim().to_owned());
        }
    }
    Ok(signatures)
}

fn manifest(release: &Release<'_>, signatures: &BTreeMap<String, String>) -> anyhow::Result<Value> {
    ensure!(!signatures.is_empty(), "no package is signed");
    let mut platforms: BTreeMap<String, Value> = BTreeMap::new();
    for (package, signature) in signatures {
        ensure!(!signature.is_empty(), "the signature of {package} is empty");
        ensure!(package.contains(release.version), "{package} is not of version {}", release.version);
        let target = target(package)?;
        let url = format!("{}/{}", release.files.trim_end_matches('/'), encoded(package));
        let before = platforms.insert(target.clone(), json!({ "signature": signature, "url": url }));
        ensure!(before.is_none(), "two packages are {target}, of them {package}");
    }
    Ok(json!({
        "version": release.version,
        "notes": release.notes,
        "pub_date": release.date,
        "platforms": platforms,
    }))
}

/// System, processor and kind of a package in the updater's form, such as `linux-x86_64-deb`.
fn target(package: &str) -> anyhow::Result<String> {
    let kind = KINDS.iter().find(|(ending, ..)| package.ends_with(ending));
    let Some((ending, system, kind)) = kind else {
        bail!("{package} is no kind of package that the updater installs");
    };
    let name = package.strip_suffix(ending).context("BUG: it ends with it")?;
    let mut words = name.split(['_', '.', '-']).collect::<Vec<_>>();
    // `x86_64` is one word but was split at the underscore.
    if words.ends_with(&["x86", "64"]) {
        words.truncate(words.len() - 2);
        words.push("x86_64");
    }
    let processor = PROCESSORS.iter().find(|(word, _)| words.contains(word));
    let (_, processor) = processor.with_context(|| format!("{package} does not name a processor"))?;
    Ok(format!("{system}-{processor}-{kind}"))
}

/// File name, percent-encoded for a URL.
fn encoded(name: &str) -> String {
    name.bytes()
        .map(|byte| match byte {
            b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
            _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RELEASE: Release<'_> = Release {
        version: "1.2.3",
        date: "2026-11-21T09:30:00Z",
        notes: "https://downloads.example/releases/v1.2.3",
        files: "https://downloads.example/files/",
    };

    /// Names of the packages on GitHub, which replaces a space in a file name by a dot.
    const PACKAGES: [&str; 7] = [
        "Ko-AgentBench.Desktop_1.2.3_amd64.deb",
        "Ko-AgentBench.Desktop_1.2.3_arm64.deb",
        "Ko-AgentBench.Desktop-1.2.3-1.x86_64.rpm",
        "Ko-AgentBench.Desktop-1.2.3-1.aarch64.rpm",
        "Ko-AgentBench.Desktop_1.2.3_amd64.AppImage",
        "Ko-AgentBench.Desktop_1.2.3_x64_en-US.msi",
        "Ko-AgentBench.Desktop_1.2.3_x64-setup.exe",
    ];

    fn manifest_of(packages: &[&str]) -> anyhow::Result<Value> {
        let folder = tempfile::tempdir().unwrap();
        for package in packages {
            std::fs::write(folder.path().join(package), "the package").unwrap();
            std::fs::write(folder.path().join(format!("{package}.sig")), format!("signed {package}\n"))
                .unwrap();
        }
        manifest(&RELEASE, &signatures(folder.path())?)
    }

    /// `latest.json` is read by the updater's own type in a test of the window
    /// (`src-tauri/src/updates.rs`).
    #[test]
    fn a_release_has_a_manifest_with_each_signed_package() {
        let made = manifest_of(&PACKAGES).unwrap();
        if let Ok(to) = std::env::var("KOAB_MANIFEST") {
            std::fs::write(to, format!("{made:#}\n")).unwrap();
        }
        let kept: Value = serde_json::from_str(include_str!("manifest/latest.json")).unwrap();
        assert_eq!(made, kept);
        // What is beside the packages and has no signature is none.
        assert_eq!(made["platforms"].as_object().unwrap().len(), PACKAGES.len());
    }

    #[test]
    fn what_the_updater_could_not_use_is_refused() {
        for (packages, why) in [
            (&[][..], "no package is signed"),
            (&["Ko-AgentBench.Desktop_1.2.4_amd64.deb"], "is not of version 1.2.3"),
            (&["SHA256SUMS-1.2.3"], "is no kind of package"),
            (&["Ko-AgentBench.Desktop_1.2.3_riscv64.deb"], "does not name a processor"),
            (&["a_1.2.3_x64_en-US.msi", "a_1.2.3_x64_ko-KR.msi"], "two packages are windows-x86_64-msi"),
        ] {
            let error = manifest_of(packages).unwrap_err().to_string();
            assert!(error.contains(why), "{packages:?}: {error}");
        }
    }
}
