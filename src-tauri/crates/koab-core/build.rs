//! Lists the files of the languages, so that one more language is one more file.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let product = files(&here.join("../../messages"))?;
    // Made up, for the test of a language that the product does not have.
    let more = files(&here.join("tests/messages"))?;
    let text = format!(
        "#[cfg(not(test))]\nstatic FILES: &[(&str, &str)] = &[{product}];\n\
         #[cfg(test)]\nstatic FILES: &[(&str, &str)] = &[{product}{more}];\n"
    );
    fs::write(out.join("languages.rs"), text)
}

/// The tag and the text of each file of a folder, as Rust.
fn files(folder: &Path) -> io::Result<String> {
    println!("cargo:rerun-if-changed={}", folder.display());
    let paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<io::Result<_>>()?;
    paths.sort();
    let files = paths.iter().filter_map(|path| {
        let tag = path.file_stem()?.to_str()?;
        Some(format!("({tag:?}, include_str!({path:?})),"))
    });
    Ok(files.collect())
}
