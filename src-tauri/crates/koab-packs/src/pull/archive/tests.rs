use super::{check_commit, name_of, named_after, pull, wire_error};
use crate::tests::shelf::{Shelf, refused};
use crate::wire::{PackPullRequest, PackPulled};
use koab_core::cache_key::sha256_hex;
use koab_core::say;
use koab_engine::ports::Cancel;
use koab_providers::archive::Archive;
use koab_providers::download::DownloadError;
use koab_workspace::{ErrorCode, WireError};
use std::path::Path;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

fn archive(revision: Option<&str>) -> Archive {
    Archive {
        url: "https://example.com/org/repo/archive/x.tar.gz".to_owned(),
        page: "https://example.com/org/repo".to_owned(),
        revision: revision.map(str::to_owned),
    }
}

#[test]
fn who_asks_for_a_commit_gets_that_one_or_nothing() {
    let other = "f".repeat(40);
    for (asked, found, is_refused) in [
        (Some(COMMIT), Some(&*other), true),
        (Some(COMMIT), Some(COMMIT), false),
        (Some(&*COMMIT.to_uppercase()), Some(COMMIT), false),
        (Some(COMMIT), None, false),
        (Some("main"), Some(&*other), false),
        (Some(&COMMIT[..39]), Some(&*other), false),
        (None, Some(&*other), false),
    ] {
        let checked = check_commit(&archive(asked), found);
        assert_eq!(checked.is_err(), is_refused, "{asked:?} {found:?}");
        if is_refused {
            let why = format!(
                "https://example.com/org/repo was asked for commit {COMMIT} and sent {other}; nothing was imported"
            );
            refused(checked, &why);
        }
    }
}

#[test]
fn a_pack_without_a_manifest_is_named_after_its_page() {
    for (page, name) in [
        ("https://example.com/org/Repo", "repo"),
        ("https://example.com/files/my.pack.tar.gz", "my.pack"),
        ("https://example.com/files/a.tgz", "a"),
        ("https://example.com/files/a.zip", "a"),
        ("https://example.com/files/a.tar.zst", "a"),
        ("https://example.com/org/repo.git", "repo"),
        ("https://example.com/org/한글", "pulled"),
    ] {
        assert_eq!(name_of(page), name, "{page}");
    }
}

#[test]
fn an_error_names_the_page_and_not_the_file_that_is_gone() {
    let path = Path::new("/tmp/koab-pull-1/archive");
    let error = WireError::bad_file(say!("{} is no archive", path.display()));
    let named = named_after(error, path, "https://example.com/a.zip");
    assert_eq!(named.code, ErrorCode::BadFile);
    assert_eq!(named.message.to_string(), "https://example.com/a.zip is no archive");
}

#[test]
fn each_failure_of_a_download_has_a_code_that_says_whose_it_is() {
    for (error, code) in [
        (DownloadError::Cancelled, ErrorCode::Cancelled),
        (DownloadError::Secret { url: "https://example.com".to_owned() }, ErrorCode::BadRequest),
    ] {
        assert_eq!(wire_error(error).code, code);
    }
}

/// A server that answers every request with this status and these bytes.
async fn served(status: &'static str, bytes: Vec<u8>) -> String {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                if stream.read_buf(&mut head).await.expect("a request") == 0 {
                    break;
                }
            }
            let answer =
                format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", bytes.len());
            let written = stream.write_all(answer.as_bytes()).await;
            written.and(stream.write_all(&bytes).await).expect("written");
        }
    });
    format!("http://127.0.0.1:{port}/files/small.tar.gz")
}

async fn pulled(shelf: &Shelf, from: &str) -> Result<PackPulled, WireError> {
    let request = PackPullRequest { from: from.to_owned(), archive: true, pack: None };
    pull(&shelf.packs, &request, &Cancel::new()).await
}

#[tokio::test]
async fn an_archive_of_an_address_is_imported_with_its_hash_and_place() {
    let author = Shelf::new();
    author.import("small");
    let archive = author.packs.archive(Some("small")).expect("written").bytes;
    let address = served("200 OK", archive.clone()).await;
    let shelf = Shelf::new();
    let PackPulled::Pack { from, imported } = pulled(&shelf, &address).await.expect("pulled") else {
        panic!("a pack");
    };
    assert_eq!((imported.pack.name.as_str(), imported.pack.records), ("small", Some(3)));
    assert_eq!((from.page.as_str(), from.files), (address.as_str(), 1));
    assert_eq!(from.bytes, archive.len() as u64);
    let sha256 = from.sha256.expect("a hash");
    assert_eq!(sha256.len(), sha256_hex("").len());
    assert_eq!((from.commit, from.revision), (None, None));
}

#[tokio::test]
async fn what_a_server_gives_out_instead_is_refused_and_leaves_no_pack() {
    let shelf = Shelf::new();
    for (status, bytes, code) in [
        ("404 Not Found", b"gone".to_vec(), ErrorCode::NotFound),
        ("403 Forbidden", b"no".to_vec(), ErrorCode::ModelUnreachable),
        ("200 OK", b"<html>log in first</html>".to_vec(), ErrorCode::BadFile),
        ("200 OK", Vec::new(), ErrorCode::BadFile),
    ] {
        let address = served(status, bytes).await;
        let error = pulled(&shelf, &address).await.expect_err("refused");
        assert_eq!(error.code, code, "{status}: {}", error.message);
        let why = error.message.to_string();
        assert!(why.contains("127.0.0.1") && !why.contains("koab-pull-"), "{why}");
    }
    assert_eq!(shelf.packs.list().expect("listed").len(), 1, "the starter pack alone");
    let jobs = shelf.packs.workspace.jobs();
    assert!(jobs.iter().all(|job| job.finished), "{jobs:?}");
}
