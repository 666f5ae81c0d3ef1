//! The files of the page. They are read into memory once, so a request cannot name other files.

use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use koab_api::WireError;
use koab_core::say;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Icon of the program.
const ICON: &[u8] = include_bytes!("../../../../icons/icon.ico");

/// The page's files by their path in the URL, such as `assets/index-4f2a.js`.
pub struct Site(BTreeMap<String, Cow<'static, [u8]>>);

impl Site {
    /// Finds the files of the page: in the folder `asked`, or else in the binary, or else in the
    /// checkout that the binary was built in.
    ///
    /// # Errors
    /// When the folder cannot be read, or there is no page.
    pub fn find(asked: Option<&Path>) -> Result<Self, WireError> {
        if let Some(folder) = asked {
            return Self::from_folder(folder);
        }
        if let Some(embedded) = embedded() {
            return Ok(embedded);
        }
        match in_checkout() {
            Some(folder) => Self::from_folder(&folder),
            None => Err(WireError::not_found(say!(
                "this build of koab contains no page; build it with `npm ci && npm run build` in the folder ui of the source, and name ui/dist with --ui"
            ))),
        }
    }

    /// Reads the page from a folder, as `npm run build` writes it.
    ///
    /// # Errors
    /// When the folder cannot be read or has no `index.html`.
    pub fn from_folder(folder: &Path) -> Result<Self, WireError> {
        let mut files = BTreeMap::new();
        read(folder, "", &mut files).map_err(|error| {
            WireError::not_found(say!("the page in {} cannot be read: {error}", folder.display()))
        })?;
        if !files.contains_key("index.html") {
            return Err(WireError::not_found(say!(
                "{} holds no page: it has no index.html; name the folder that `npm run build` wrote",
                folder.display()
            )));
        }
        Ok(Self(files))
    }

    /// Response with the file at a path of the URL.
    pub(crate) fn answer(&self, path: &str) -> Option<Response> {
        let (name, content) = match path.trim_start_matches('/') {
            "" => ("index.html", self.0.get("index.html")?.clone()),
            // Every browser requests this icon, even if the page does not name it.
            name @ "favicon.ico" => (name, Cow::Borrowed(ICON)),
            name => (name, self.0.get(name)?.clone()),
        };
        // File names below `assets/` change with their content. The page itself keeps its name, so
        // it must be requested each time. The icon is requested with each address within the page.
        let caching = HeaderValue::from_static(match name {
            "favicon.ico" => "private, max-age=86400",
            name if name.starts_with("assets/") => "private, max-age=31536000, immutable",
            _ => "no-store",
        });
        let kind = HeaderValue::from_static(content_type(name));
        Some(([(CONTENT_TYPE, kind), (CACHE_CONTROL, caching)], content).into_response())
    }
}

/// Reads the files of a folder. Links are skipped, because they may point outside of the folder.
fn read(
    folder: &Path,
    prefix: &str,
    files: &mut BTreeMap<String, Cow<'static, [u8]>>,
) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let kind = entry.file_type()?;
        if kind.is_dir() {
            read(&entry.path(), &format!("{prefix}{name}/"), files)?;
        } else if kind.is_file() {
            files.insert(format!("{prefix}{name}"), std::fs::read(entry.path())?.into());
        }
    }
    Ok(())
}

/// Path of `ui/dist` in the checkout whose target folder contains this binary.
fn in_checkout() -> Option<PathBuf> {
    let binary = std::env::current_exe().ok()?;
    let checkout = binary.ancestors().find(|folder| folder.join("tauri.conf.json").is_file())?;
    let built = checkout.join("ui").join("dist");
    built.join("index.html").is_file().then_some(built)
}

#[cfg(feature = "embedded-ui")]
fn embedded() -> Option<Site> {
    static DIST: include_dir::Dir<'static> =
        include_dir::include_dir!("$CARGO_MANIFEST_DIR/../../../ui/dist");
    fn gather(folder: &'static include_dir::Dir<'static>, files: &mut BTreeMap<String, Cow<'static, [u8]>>) {
        for file in folder.files() {
            if let Some(name) = file.path().to_str() {
                files.insert(name.replace('\\', "/"), Cow::Borrowed(file.contents()));
            }
        }
        folder.dirs().for_each(|folder| gather(folder, files));
    }
    let mut files = BTreeMap::new();
    gather(&DIST, &mut files);
    Some(Site(files))
}

#[cfg(not(feature = "embedded-ui"))]
fn embedded() -> Option<Site> {
    None
}

/// Content type of a file. A browser relies on this type because of the header `nosniff`. The kinds
/// of files that the page contains are known here.
fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
