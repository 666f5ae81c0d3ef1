//! LS Securities Open API (`docs/spec/tools.md` §8.2, §10.2). Answers are returned unchanged.
//!
//! The published tools check neither status nor login, so an expired login looks like an answer.
//! Here it is renewed, and a body without a result block is a failure.

use super::args::Args;
use super::connection::{Answer, Connection, complaint, error_object, showing};
use super::service::Service;
use super::token::{IssuedLogin, LoginTokens, Slot};
use super::{BadService, ServiceInfo};
use async_trait::async_trait;
use koab_core::sensitive::Sensitive;
use koab_engine::ports::ServiceFault;
use reqwest::header::HeaderValue;
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) const INFO: ServiceInfo = ServiceInfo {
    name: "ls_securities",
    title: "LS Securities",
    address: "https://openapi.ls-sec.co.kr:8080",
    variable: "KOAB_LS_SECURITIES_URL",
    keys: &["LS_APP_KEY", "LS_APP_SECRET"],
    tools: &["StockPrice_ls", "MarketIndex_ls", "SectorStock_ls", "OrderBook_ls", "StockTrades_ls"],
};

struct LsSecurities {
    line: Connection,
    login: Arc<Slot>,
}

/// A transaction: its code, path and input block.
struct Transaction {
    code: &'static str,
    path: &'static str,
    block: Value,
}

pub(super) fn open(line: Connection, tokens: &LoginTokens) -> Result<Box<dyn Service>, BadService> {
    let login = tokens.slot(INFO.name, &line.base().shown(), line.key(0), line.key(1));
    Ok(Box::new(LsSecurities { line, login }))
}

#[async_trait]
impl Service for LsSecurities {
    async fn call(&self, tool: &str, args: Args<'_>) -> Result<Value, ServiceFault> {
        let transaction = transaction(tool, args);
        let token = self.token(None).await?;
        let mut answer = self.ask(&transaction, &token).await?;
        if refuses_login(&answer) {
            let token = self.token(Some(&token)).await?;
            answer = self.ask(&transaction, &token).await?;
        }
        let body = answer.json(&self.line)?;
        let out = format!("{}OutBlock", transaction.code);
        let has_result =
            body.as_object().is_some_and(|fields| fields.keys().any(|name| name.starts_with(&out)));
        if answer.is_ok() && has_result {
            return Ok(body);
        }
        let fault =
            if answer.is_ok() { self.line.reports(&complaint(&body)) } else { answer.refused(&self.line) };
        Err(showing(fault, body))
    }

    fn line(&self) -> &Connection {
        &self.line
    }
}

impl LsSecurities {
    async fn ask(
        &self,
        transaction: &Transaction,
        token: &Sensitive<String>,
    ) -> Result<Answer, ServiceFault> {
        let bearer = self.line.bearer(token)?;
        let body = json!({ format!("{}InBlock", transaction.code): transaction.block });
        self.line
            .post(transaction.path)
            .header("authorization", bearer)
            .header("tr_cd", HeaderValue::from_static(transaction.code))
            .header("tr_cont", HeaderValue::from_static("N"))
            .header("tr_cont_key", HeaderValue::from_static(""))
            .json_as("application/json; charset=utf-8", &body)
            .send()
            .await
    }

    async fn token(&self, refused: Option<&Sensitive<String>>) -> Result<Sensitive<String>, ServiceFault> {
        let token = self.login.token(refused, self.issue()).await.map_err(|fault| {
            let value = error_object(&fault.message);
            showing(fault, value)
        })?;
        self.line.hide(&token);
        Ok(token)
    }

    /// Requests a login. The fields are sent in the body, not in the address as published, because
    /// addresses are logged along the way.
    async fn issue(&self) -> Result<IssuedLogin, ServiceFault> {
        let answer = self
            .line
            .post("oauth2/token")
            .form(&[
                ("grant_type", "client_credentials"),
                ("appkey", self.line.key(0)),
                ("appsecretkey", self.line.key(1)),
                ("scope", "oob"),
            ])
            .send()
            .await?;
        self.line.issued_login(&answer)
    }
}

/// Whether the answer refuses the login. Invalid and expired logins are reported as status 401, or
/// as a code of the gateway with another status.
fn refuses_login(answer: &Answer) -> bool {
    let code = answer.parsed().and_then(|body| Some(body.get("rsp_cd")?.as_str()?.to_owned()));
    answer.status == 401 || matches!(code.as_deref(), Some("IGW00121" | "IGW00123"))
}

fn transaction(tool: &str, args: Args<'_>) -> Transaction {
    let shcode = args.text("shcode");
    match tool {
        "MarketIndex_ls" => Transaction {
            code: "t1511",
            path: "indtp/market-data",
            block: json!({ "upcode": index_code(args.text("jisu")) }),
        },
        "SectorStock_ls" => Transaction {
            code: "t1537",
            path: "stock/sector",
            block: json!({ "tmcode": args.text("tmcode") }),
        },
        "OrderBook_ls" => {
            Transaction { code: "t1101", path: "stock/market-data", block: json!({ "shcode": shcode }) }
        }
        "StockTrades_ls" => Transaction {
            code: "t8454",
            path: "stock/market-data",
            block: json!({
                "shcode": shcode, "starttime": "", "endtime": "", "bun_term": "", "exchgubun": args.text("exchgubun"),
            }),
        },
        // The venue is part of the model's arguments, but is never sent.
        _ => Transaction { code: "t1102", path: "stock/market-data", block: json!({ "shcode": shcode }) },
    }
}

/// Code of an index. Every unknown name means KOSPI, as published.
fn index_code(name: &str) -> &'static str {
    match name {
        "KOSPI200" | "코스피200" => "101",
        "KRX100" => "501",
        "KOSDAQ" | "코스닥" => "301",
        _ => "001",
    }
}
