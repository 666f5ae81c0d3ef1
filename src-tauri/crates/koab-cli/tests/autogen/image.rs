//! `AutoGen` of both generations, installed once: an environment, a container image made of it without a registry, and the wheels that trials
//! install from.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Name of the image.
pub(crate) const IMAGE: &str = "koab-autogen";

/// Packages that the templates of both generations ask for.
fn packages() -> Vec<String> {
    let benchmark = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tasks/scenarios/HumanEval/Shared");
    let mut packages = Vec::new();
    for generation in ["AutoGen02", "AutoGen04"] {
        let text = std::fs::read_to_string(benchmark.join(generation).join("requirements.txt")).unwrap();
        let lines = text.lines().map(str::trim);
        packages.extend(lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned));
    }
    packages.sort();
    packages.dedup();
    packages
}

/// Makes the image out of `koab-test`, which has this machine's Python without packages.
pub(crate) fn make(host: &str) {
    let packages = packages();
    let words: Vec<&str> = packages.iter().map(String::as_str).collect();
    let environment = koab_programs::python("autogen", &words);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/autogen/image.sh");
    let mut image = Command::new("sh");
    image.arg(script).arg(&environment).arg(IMAGE).env("DOCKER_HOST", host);
    succeed(&mut image);
}

/// Folder with a wheel of each package and of all that they need, for pip without an index.
pub(crate) fn wheels() -> PathBuf {
    let packages = packages();
    koab_programs::kept("autogen-wheels", &packages.join("\n"), |folder| {
        let mut wheel = Command::new("python3");
        wheel.args(["-m", "pip", "wheel", "--quiet", "--wheel-dir"]).arg(folder);
        succeed(wheel.args(&packages));
    })
}

fn succeed(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
