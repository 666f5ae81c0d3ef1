//! System packages for the window: installed with apt where this user may, else named for the
//! package manager that is there. Only Linux needs any; elsewhere the system brings its web view
//! along.

use std::path::PathBuf;
use std::process::Command;

use super::need::Need;
use crate::{command, out};

const WINDOW_BUILD: [&str; 3] = ["libwebkit2gtk-4.1-dev", "pkg-config", "build-essential"];
const MODEL_BUILD: [&str; 3] = ["cmake", "libclang-dev", "build-essential"];
/// The compiler cache, which spares llama.cpp's hundred files where a target folder is new. Nothing
/// needs it.
const COMPILER_CACHE: &str = "ccache";
const WINDOW_DRIVER: [&str; 6] =
    ["webkit2gtk-driver", "xvfb", "xauth", "xdotool", "fonts-noto-cjk", "dbus-x11"];

/// Debian's own: the browsers that Playwright would download are not needed.
const BROWSER: [&str; 2] = ["chromium", "fonts-noto-cjk"];

/// Names under which systems install Chromium, or what is one inside.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// What the tests of the keychain talk to, what shows every connection of a run, what runs
/// scenarios, and a cluster. Without them those tests skip themselves, so nothing checks for it
/// here.
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

/// Installs the Debian packages behind these needs that are not there yet. Does nothing without apt
/// or without the right to use it; the checks below then say what is missing.
pub(super) fn install(needs: &[Need]) {
    if command::which("apt-get").is_none() || command::which("dpkg-query").is_none() {
        return;
    }
    let mut wanted: Vec<&str> = Vec::new();
    if needs.contains(&Need::WindowBuild) {
        wanted.extend(WINDOW_BUILD);
    }
    if needs.contains(&Need::ModelBuild) {
        wanted.extend(MODEL_BUILD);
        if command::is_ci() {
            wanted.push(COMPILER_CACHE);
        }
    }
    if needs.contains(&Need::WindowDriver) {
        wanted.extend(WINDOW_DRIVER);
    }
    if needs.contains(&Need::Browser) {
        wanted.extend(BROWSER);
    }
    if needs.contains(&Need::Nextest) {
        wanted.extend(RUST_TESTS);
    }
    wanted.retain(|package| !installed(package));
    if wanted.is_empty() {
        return;
    }
    let Some(privilege) = privilege() else { return };
    out::line(format_args!("set-up: installing {} with apt-get", wanted.join(" ")));
    // A stale list only matters when the install then fails, and says so itself.
    let _ = command::succeed(apt(privilege).arg("update"));
    let mut install = apt(privilege);
    install.args(["install", "-y", "--no-install-recommends"]).args(&wanted);
    if let Err(error) = command::succeed(&mut install) {
        out::error(format_args!("{error:#}"));
    }
}

/// Checks what compiling the window takes.
///
/// # Errors
/// With what to do.
pub(super) fn check_window_build() -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let there = (command::which("cc").is_some() || command::which("gcc").is_some())
        && command::quietly_succeeds(Command::new("pkg-config").args(["--exists", "webkit2gtk-4.1"]));
    if there {
        return Ok(());
    }
    Err(advice(
        "what the window is built with (WebKitGTK 4.1, pkg-config, a C compiler) is missing",
        &WINDOW_BUILD,
        &["webkit2gtk4.1-devel", "pkgconf", "gcc"],
        &["webkit2gtk-4.1", "base-devel"],
    ))
}

/// Checks what compiling llama.cpp takes.
///
/// # Errors
/// With what to do.
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

/// Whether bindgen will find libclang: where it is told, by clang itself, or in the folders of the
/// system's libraries.
fn has_libclang() -> bool {
    if std::env::var_os("LIBCLANG_PATH").is_some() || !cfg!(target_os = "linux") {
        return true;
    }
    let holds_it = |folder: &std::path::Path| {
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
        .any(|folder| holds_it(&folder))
}

/// Checks what driving the real window takes.
///
/// # Errors
/// With what to do.
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

/// The browser that the end-to-end tests drive: the one that `KOAB_CHROMIUM` names, else the
/// system's.
///
/// # Errors
/// With what to do.
pub(crate) fn browser() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("KOAB_CHROMIUM").map(PathBuf::from) {
        return named.is_file().then_some(named).ok_or_else(|| "KOAB_CHROMIUM names no file".to_owned());
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

/// Whether dpkg counts the package as installed, and not only as known or half configured.
fn installed(package: &str) -> bool {
    let mut query = Command::new("dpkg-query");
    query.args(["-W", "-f=${db:Status-Abbrev}", package]).stderr(std::process::Stdio::null());
    query.output().is_ok_and(|output| output.stdout.starts_with(b"ii"))
}

/// How apt may be used.
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
    // Another installation may hold the lock; waiting is better than failing.
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=300"]);
    command.stdin(std::process::Stdio::null());
    command
}
