//! `AutoGen` of both generations, installed once: an environment, and a container image made of it without a registry.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The image's name.
pub(crate) const IMAGE: &str = "koab-autogen";

/// Makes the image out of `koab-test`, which has this machine's Python without packages.
pub(crate) fn make(host: &str, folder: &Path, benchmark: &Path) {
    let environment = folder.join("environment");
    succeed(Command::new("python3").args(["-m", "venv"]).arg(&environment));
    let python = environment.join("bin/python");
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--no-compile"]);
    for generation in ["AutoGen02", "AutoGen04"] {
        let file: PathBuf = ["Shared", generation, "requirements.txt"].iter().collect();
        install.arg("-r").arg(benchmark.join(file));
    }
    succeed(&mut install);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/autogen/image.sh");
    let mut image = Command::new("sh");
    image
        .arg(script)
        .arg(&environment)
        .arg(IMAGE)
        .env("DOCKER_HOST", host);
    succeed(&mut image);
}

fn succeed(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}
