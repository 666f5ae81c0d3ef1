//! `cargo xtask image`: a container image with the command line, for workers on Kubernetes and
//! other uses of containers.
//!
//! The image is made of a few of the distribution's packages and the program, without a registry or
//! a container engine. The result is an archive for `docker load` and `podman load`. The image's
//! user is not root.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, bail};
use serde_json::json;

use crate::checkout::Checkout;
use crate::{binaries, command, out};

/// Packages that the program needs, and a shell for the workers' scripts.
const PACKAGES: [&str; 5] = ["base-files", "busybox-static", "ca-certificates", "libc6", "libgcc-s1"];
/// Additional packages that models inside the application need.
const LIBRARIES_OF_MODELS: [&str; 1] = ["libstdc++6"];
/// Id of the user in the image.
const USER_ID: u32 = 1000;
/// Maximum size of a release image. A development build is larger.
const MAX_IMAGE_BYTES: u64 = 120_000_000;

/// An image as an archive.
pub(crate) struct Image {
    /// Path of the archive.
    pub(crate) file: PathBuf,
    /// Name of the image, with the version as its tag.
    pub(crate) name: String,
}

/// Builds the image and prints its path.
///
/// # Errors
/// When an argument is unknown, a program is missing, or the build fails.
pub(crate) fn run(checkout: &Checkout, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let debug = match arguments {
        [] => false,
        [word] if word == "--debug" => true,
        _ => bail!("`cargo xtask image` takes --debug and nothing else"),
    };
    let image = build(checkout, debug)?;
    let (file, name) = (image.file.display(), &image.name);
    out::line(format_args!(
        "{name} is in {file}; `docker load -i {file}` or `podman load -i {file}` takes it"
    ));
    Ok(ExitCode::SUCCESS)
}

/// Builds the image. With `debug`, it contains a development build.
///
/// # Errors
/// When a program is missing, a package cannot be fetched, or the image is too large.
pub(crate) fn build(checkout: &Checkout, debug: bool) -> anyhow::Result<Image> {
    for program in ["apt-get", "apt-cache", "dpkg-deb", "tar", "sha256sum", "strip"] {
        if command::which(program).is_none() {
            bail!("there is no {program} here; the image is made of Debian's packages");
        }
    }
    // The development build is shared with the tests of packages, so it includes models.
    let (koab, libraries): (_, &[&str]) = if debug {
        let built = binaries::build_packaged(checkout, false, None)?;
        (built.koab, &LIBRARIES_OF_MODELS)
    } else {
        (binaries::build_release_koab_without_models(checkout)?, &[])
    };
    let scratch = checkout.scratch("image")?;
    let root = scratch.path().join("root");
    packages(libraries, &root)?;
    let program = root.join("usr/local/bin/koab");
    fs::create_dir_all(root.join("usr/local/bin"))?;
    command::succeed(Command::new("strip").arg("-o").arg(&program).arg(&koab))?;
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755))?;

    let layer = scratch.path().join("layer.tar");
    pack(&root, &layer)?;
    let size = fs::metadata(&layer)?.len();
    out::line(format_args!("the image takes {:.0} MB", size as f64 / 1e6));
    if !debug && size > MAX_IMAGE_BYTES {
        bail!("that is more than {} MB", MAX_IMAGE_BYTES / 1_000_000);
    }
    archive(checkout, scratch.path(), &layer, &koab)
}

/// Fetches the packages into the user's cache and unpacks them.
fn packages(more: &[&str], root: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(root)?;
    let names = [&PACKAGES, more].concat();
    // The local package lists give the versions, so no registry is asked.
    let versions =
        command::stdout_of(Command::new("apt-cache").args(["show", "--no-all-versions"]).args(&names))?;
    let versions: Vec<_> = versions.lines().filter(|line| line.starts_with("Filename:")).collect();
    let fetched = koab_programs::kept("image-packages", &versions.join("\n"), |folder| {
        let mut fetch = Command::new("apt-get");
        fetch.args(["-qq", "-o", "APT::Sandbox::User=root", "download"]).args(&names);
        if let Err(error) = command::succeed(fetch.current_dir(folder)) {
            panic!("the image's packages cannot be fetched: {error:#}");
        }
    });
    for entry in fs::read_dir(fetched)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "deb") {
            command::succeed(Command::new("dpkg-deb").arg("-x").arg(&path).arg(root))?;
        }
    }
    // The packages are not installed, so the effects of their installation are made by hand:
    // applets, certificates, the user.
    let applets = command::stdout_of(Command::new(root.join("bin/busybox")).arg("--list"))?;
    for applet in applets.lines().filter(|applet| *applet != "busybox") {
        let link = root.join("bin").join(applet);
        if !link.exists() {
            symlink("busybox", link)?;
        }
    }
    let mut bundle = String::new();
    let mut certificates: Vec<PathBuf> = fs::read_dir(root.join("usr/share/ca-certificates/mozilla"))
        .context("the package of certificates has none")?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    certificates.sort();
    for certificate in certificates {
        bundle.push_str(&fs::read_to_string(certificate)?);
    }
    fs::create_dir_all(root.join("etc/ssl/certs"))?;
    fs::write(root.join("etc/ssl/certs/ca-certificates.crt"), bundle)?;
    fs::write(
        root.join("etc/passwd"),
        format!("root:x:0:0:root:/:/bin/sh\nkoab:x:{USER_ID}:{USER_ID}:koab:/srv/koab:/bin/sh\n"),
    )?;
    fs::write(root.join("etc/group"), format!("root:x:0:\nkoab:x:{USER_ID}:\n"))?;
    fs::create_dir_all(root.join("tmp"))?;
    fs::set_permissions(root.join("tmp"), fs::Permissions::from_mode(0o1777))?;
    for left_out in ["usr/share/man", "usr/share/locale", "usr/share/info", "usr/share/lintian"] {
        let _ = fs::remove_dir_all(root.join(left_out));
    }
    Ok(())
}

/// Packs the root folder as one layer of the image. The home folder belongs to the image's user.
fn pack(root: &Path, layer: &Path) -> anyhow::Result<()> {
    let home = root.join("srv/koab");
    fs::create_dir_all(&home)?;
    let tar = |owner: u32| {
        let mut tar = Command::new("tar");
        tar.args(["--sort=name", "--mtime=@0", "--numeric-owner"])
            .args([format!("--owner={owner}"), format!("--group={owner}")])
            .arg("-C")
            .arg(root);
        tar
    };
    command::succeed(tar(0).arg("--exclude=./srv/koab").arg("-cf").arg(layer).arg("."))?;
    command::succeed(tar(USER_ID).arg("-rf").arg(layer).arg("./srv/koab"))
}

/// Creates the archive around the layer, in the format that both Docker and Podman load.
fn archive(checkout: &Checkout, scratch: &Path, layer: &Path, koab: &Path) -> anyhow::Result<Image> {
    let sum = command::stdout_of(Command::new("sha256sum").arg(layer))?;
    let sum = sum.split_whitespace().next().context("no hash")?;
    let version = command::stdout_of(Command::new(koab).arg("--version"))?;
    let version = version.trim().trim_start_matches("koab ").to_owned();
    let architecture = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    let config = json!({
        "architecture": architecture,
        "os": "linux",
        "config": {
            "User": format!("{USER_ID}:{USER_ID}"),
            "Entrypoint": ["koab"],
            "Env": ["PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/srv/koab", "KOAB_HOME=/srv/koab/workspace", "LANG=C.UTF-8"],
            "WorkingDir": "/srv/koab",
        },
        "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{sum}")] },
        "history": [{ "created_by": "cargo xtask image" }],
    });
    let name = format!("koab:{version}");
    let manifest = json!([{ "Config": "config.json", "RepoTags": [name], "Layers": ["layer.tar"] }]);
    fs::write(scratch.join("config.json"), config.to_string())?;
    fs::write(scratch.join("manifest.json"), manifest.to_string())?;
    let folder = checkout.target.join("image");
    fs::create_dir_all(&folder)?;
    let file = folder.join(format!("koab-{version}.tar"));
    command::succeed(Command::new("tar").arg("-C").arg(scratch).arg("-cf").arg(&file).args([
        "manifest.json",
        "config.json",
        "layer.tar",
    ]))?;
    Ok(Image { file, name })
}
