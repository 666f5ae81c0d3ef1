//! System packages for the window.
//!
//! apt installs them if the user has the right to use it; otherwise the error names the packages
//! for the system's package manager. Only Linux needs any, because other systems include a web
//! view.

use std::path::PathBuf;
use std::process::Command;

use super::need::Need;
use crate::{command, out};

const WINDOW_BUILD: [&str; 3] = ["libwebkit2gtk-4.1-dev", "pkg-config", "build-essential"];
const MODEL_BUILD: [&str; 3] = ["cmake", "libclang-dev", "build-essential"];
/// Package of the compiler cache, which is optional. With it, a new target folder does not have to
/// compile the hundred files of llama.cpp again.
const COMPILER_CACHE: &str = "ccache";
const WINDOW_DRIVER: [&str; 6] =
    ["webkit2gtk-driver", "xvfb", "xauth", "xdotool", "fonts-noto-cjk", "dbus-x11"];

/// Debian's package of Chromium. The browsers that Playwright would download are not needed.
const BROWSER: [&str; 2] = ["chromium", "fonts-noto-cjk"];

/// Program names of Chromium and of browsers based on Chromium.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Packages for further tests: a keychain, tracing of a run's connections, container engines and a
/// cluster. They are not required: without them these tests are skipped.
const RUST_TESTS: [&str; 12] = [
    "gnome-keyring",
    "libsecret-tools",
    "dbus-daemon",
    "strace",
    "docker.io",
    "podman",
    "uidmap",
    "slurm-wlm",
    "munge",
    "busybox-static",
    "iproute2",
    "iptables",
];

/// Installs the missing Debian packages for these needs. Does nothing without apt or without the
/// right to use it; the later checks then report what is missing.
pub(super) fn install(needs: &[Need]) {
    if command::which("apt-get").is_none() || command::which("dpkg-query").is_none() {
        return;
    }
    let mut missing: Vec<&str> = Vec::new();
    if needs.contains(&Need::WindowBuild) {
        missing.extend(WINDOW_BUILD);
    }
    if needs.contains(&Need::ModelBuild) {
        missing.extend(MODEL_BUILD);
        if command::is_ci() {
            missing.push(COMPILER_CACHE);
        }
    }
    if needs.contains(&Need::WindowDriver) {
        missing.extend(WINDOW_DRIVER);
    }
    if needs.contains(&Need::Browser) {
        missing.extend(BROWSER);
    }
    if needs.contains(&Need::Nextest) {
        missing.extend(RUST_TESTS);
    }
    missing.retain(|package| !installed(package));
    if missing.is_empty() {
        return;
    }
    let Some(privilege) = privilege() else { return };
    out::line(format_args!("set-up: installing {} with apt-get", missing.join(" ")));
    // A stale list matters only if the install then fails, which reports an error itself.
    let _ = command::succeed(apt(privilege).arg("update"));
    let mut install = apt(privilege);
    install.args(["install", "-y", "--no-install-recommends"]).args(&missing);
    if let Err(error) = command::succeed(&mut install) {
        out::error(format_args!("{error:#}"));
    }
}

/// Checks the requirements for compiling the window.
///
/// # Errors
/// When something is missing. The error says how to install it.
pub(super) fn check_window_build() -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let is_ready = (command::which("cc").is_some() || command::which("gcc").is_some())
        && command::quietly_succeeds(Command::new("pkg-config").args(["--exists", "webkit2gtk-4.1"]));
    if is_ready {
        return Ok(());
    }
    Err(advice(
        "what the window is built with (WebKitGTK 4.1, pkg-config, a C compiler) is missing",
        &WINDOW_BUILD,
        &["webkit2gtk4.1-devel", "pkgconf", "gcc"],
        &["webkit2gtk-4.1", "base-devel"],
    ))
}

/// Checks the requirements for compiling llama.cpp.
///
/// # Errors
/// When something is missing. The error says how to install it.
pub(super) fn check_model_build() -> Result<(), String> {
    let compiler = ["c++", "g++", "clang++", "cl"].iter().any(|name| command::which(name).is_some());
    if command::which("cmake").is_some() && compiler && has_libclang() {
        return Ok(());
    }
    Err(advice(
        "what models inside the application are built with (cmake, a C++ compiler, libclang) is missing",
        &MODEL_BUILD,
        &["cmake", "clang-devel", "gcc-c++"],
        &["cmake", "clang", "base-devel"],
    ))
}

/// Whether bindgen will find libclang: at `LIBCLANG_PATH`, by clang itself, or in the folders of
/// the system's libraries.
fn has_libclang() -> bool {
    if std::env::var_os("LIBCLANG_PATH").is_some() || !cfg!(target_os = "linux") {
        return true;
    }
    let has_libclang_in = |folder: &std::path::Path| {
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        files
            .filter_map(|file| file.file_name().into_string().ok())
            .any(|name| name.starts_with("libclang") && name.contains(".so"))
    };
    let llvm = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    let of_llvm = llvm
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("llvm"))
        .map(|entry| entry.path().join("lib"));
    ["/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"]
        .map(PathBuf::from)
        .into_iter()
        .chain(of_llvm)
        .any(|folder| has_libclang_in(&folder))
}

/// Checks the requirements for driving the real window.
///
/// # Errors
/// When something is missing. The error says how to install it.
pub(super) fn check_window_driver() -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        return Err("the window can be driven by a test only on Linux; start it by hand here".to_owned());
    }
    if ["WebKitWebDriver", "xvfb-run", "xauth", "xdotool"]
        .iter()
        .all(|program| command::which(program).is_some())
    {
        return Ok(());
    }
    Err(advice(
        "what the window is tested with (WebKitWebDriver, xvfb-run, xauth, xdotool) is missing",
        &WINDOW_DRIVER,
        &["webkit2gtk4.1", "xorg-x11-server-Xvfb", "xorg-x11-xauth", "xdotool", "google-noto-sans-cjk-fonts"],
        &["webkit2gtk-4.1", "xorg-server-xvfb", "xorg-xauth", "xdotool", "noto-fonts-cjk"],
    ))
}

/// Path of the browser for the end-to-end tests: `KOAB_CHROMIUM`, or else the system's Chromium.
///
/// # Errors
/// When no browser is installed. The error says how to install one.
pub(crate) fn browser() -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("KOAB_CHROMIUM").map(PathBuf::from) {
        return path.is_file().then_some(path).ok_or_else(|| "KOAB_CHROMIUM names no file".to_owned());
    }
    BROWSERS.iter().find_map(|name| command::which(name)).ok_or_else(|| {
        advice(
            "the browser that the end-to-end tests drive (Chromium) is missing",
            &BROWSER,
            &["chromium", "google-noto-sans-cjk-fonts"],
            &["chromium", "noto-fonts-cjk"],
        )
    })
}

fn advice(what: &str, debian: &[&str], fedora: &[&str], arch: &[&str]) -> String {
    if command::which("apt-get").is_some() {
        format!("{what}; install it with `sudo apt-get install --no-install-recommends {}`", debian.join(" "))
    } else if command::which("dnf").is_some() {
        format!("{what}; install it with `sudo dnf install {}`", fedora.join(" "))
    } else if command::which("pacman").is_some() {
        format!("{what}; install it with `sudo pacman -S {}`", arch.join(" "))
    } else {
        format!("{what}; install it with your package manager (Debian calls it {})", debian.join(", "))
    }
}

/// Whether dpkg lists the package as fully installed, not only as known or half configured.
fn installed(package: &str) -> bool {
    let mut query = Command::new("dpkg-query");
    query.args(["-W", "-f=${db:Status-Abbrev}", package]).stderr(std::process::Stdio::null());
    query.output().is_ok_and(|output| output.stdout.starts_with(b"ii"))
}

/// Way to run apt as root.
#[derive(Clone, Copy)]
enum Privilege {
    Root,
    Sudo,
}

fn privilege() -> Option<Privilege> {
    let user = Command::new("id").arg("-u").output().ok()?;
    if user.stdout.trim_ascii() == b"0" {
        return Some(Privilege::Root);
    }
    command::quietly_succeeds(Command::new("sudo").args(["-n", "true"])).then_some(Privilege::Sudo)
}

fn apt(privilege: Privilege) -> Command {
    let mut command = match privilege {
        Privilege::Root => Command::new("env"),
        Privilege::Sudo => {
            let mut sudo = Command::new("sudo");
            sudo.args(["-n", "env"]);
            sudo
        }
    };
    // Another installation may hold the lock. Waiting is better than failing.
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=300"]);
    command.stdin(std::process::Stdio::null());
    command
}
