use super::*;
use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{KeyPair as _, RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

fn errors() -> Errors {
    Errors::new("https://model".to_owned(), "m", "", [])
}

/// Grants tokens `t1`, `t2`, … that are good for so many seconds, and gives back what was asked.
async fn grants(seconds: i64) -> (String, tokio::sync::mpsc::UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (asked, heard) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        let mut n = 0;
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut request = vec![0; 16 * 1024];
            let mut length = 0;
            while !String::from_utf8_lossy(&request[..length]).contains("grant_type=") {
                length += socket.read(&mut request[length..]).await.expect("a request");
            }
            let _ = asked.send(String::from_utf8_lossy(&request[..length]).into_owned());
            n += 1;
            let body = format!(r#"{{"access_token":"t{n}","expires_in":{seconds},"token_type":"Bearer"}}"#);
            let answer = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
            socket.write_all(answer.as_bytes()).await.expect("an answer");
        }
    });
    (format!("http://{address}/token"), heard)
}

#[tokio::test]
async fn a_service_account_signs_for_its_token_and_keeps_it() {
    let (uri, mut heard) = grants(3600).await;
    let key = KeyPair::generate(KeySize::Rsa2048).expect("a key");
    let der: Pkcs8V1Der<'_> = key.as_der().expect("PKCS#8");
    let pem = format!(
        "-----BEGIN {0}-----\n{1}\n-----END {0}-----\n",
        "PRIVATE KEY",
        BASE64_STANDARD.encode(der.as_ref())
    );
    let json = json!({"type": "service_account", "client_email": "a@b", "private_key": pem, "token_uri": uri, "project_id": "p"});
    let account = GoogleAccount::read(&crate::http::testing::network(), &json.to_string(), Purpose::Model)
        .expect("an account");
    for _ in 0..2 {
        assert_eq!(account.token(&errors()).await.expect("a token").expose(), "t1");
    }
    let asked = heard.recv().await.expect("a request");
    let form = asked.split("\r\n\r\n").nth(1).expect("a form");
    let assertion = form.split("assertion=").nth(1).expect("an assertion");
    let (text, signature) = assertion.rsplit_once('.').expect("three parts");
    let signature = BASE64_URL_SAFE_NO_PAD.decode(signature).expect("base64");
    UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, key.public_key().as_ref())
        .verify(text.as_bytes(), &signature)
        .expect("the account's signature");
    let claims = BASE64_URL_SAFE_NO_PAD.decode(text.split('.').nth(1).expect("claims"));
    let claims: serde_json::Value = serde_json::from_slice(&claims.expect("base64")).expect("JSON");
    assert_eq!((&claims["iss"], &claims["aud"]), (&json!("a@b"), &json!(uri)));
    assert!(heard.try_recv().is_err());
}

#[tokio::test]
async fn a_user_s_token_is_renewed_when_it_runs_out() {
    let (uri, mut heard) = grants(60).await;
    let json = json!({"type": "authorized_user", "client_id": "i", "client_secret": "s+", "refresh_token": "r", "token_uri": uri});
    let account = GoogleAccount::read(&crate::http::testing::network(), &json.to_string(), Purpose::Model)
        .expect("an account");
    assert_eq!(account.token(&errors()).await.expect("a token").expose(), "t1");
    assert_eq!(account.token(&errors()).await.expect("a token").expose(), "t2");
    let asked = heard.recv().await.expect("a request");
    assert!(
        asked.ends_with("grant_type=refresh_token&client_id=i&client_secret=s%2B&refresh_token=r"),
        "{asked}"
    );
}

#[test]
fn what_is_no_account_gets_one_sentence_without_its_content() {
    for (given, part) in [
        ("/no/such/file.json", "at /no/such/file.json cannot be read"),
        (r#"{"type":"service_account","secret":"s3cr3t"}"#, "neither a service account"),
        (
            r#"{"type":"service_account","client_email":"e","private_key":"s3cr3t"}"#,
            "download the service account's JSON again",
        ),
        (
            r#"{"type":"authorized_user","client_id":"i","client_secret":"s3cr3t","refresh_token":"r","token_uri":"x"}"#,
            "no usable token_uri",
        ),
    ] {
        let said = GoogleAccount::read(&crate::http::testing::network(), given, Purpose::Model)
            .expect_err("no account")
            .to_string();
        assert!(said.contains(part) && !said.contains("s3cr3t"), "{said}");
    }
}
