//! Korea Investment & Securities Open API (`docs/spec/tools.md` §8.3, §10.3).

use super::args::Args;
use super::connection::{Answer, Connection, complaint};
use super::service::Service;
use super::token::{IssuedLogin, LoginTokens, Slot};
use super::{BadService, ServiceInfo};
use async_trait::async_trait;
use koab_core::say;
use koab_core::sensitive::Sensitive;
use koab_engine::ports::ServiceFault;
use reqwest::header::HeaderValue;
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) const INFO: ServiceInfo = ServiceInfo {
    name: "kis_securities",
    title: "Korea Investment & Securities",
    address: "https://openapi.koreainvestment.com:9443",
    variable: "KOAB_KIS_SECURITIES_URL",
    keys: &["KIS_APP_KEY", "KIS_APP_SECRET"],
    tools: &["StockPrice_kis", "USStockPrice_kis", "StockChart_kis"],
};

struct KisSecurities {
    line: Connection,
    key: HeaderValue,
    secret: HeaderValue,
    login: Arc<Slot>,
}

/// A request: path, transaction id and query.
struct Quotation<'a> {
    path: &'static str,
    transaction: &'static str,
    query: Vec<(&'static str, &'a str)>,
}

pub(super) fn open(line: Connection, tokens: &LoginTokens) -> Result<Box<dyn Service>, BadService> {
    let login = tokens.slot(INFO.name, &line.base().shown(), line.key(0), line.key(1));
    let (key, secret) = (line.key_header(0, "")?, line.key_header(1, "")?);
    Ok(Box::new(KisSecurities { line, key, secret, login }))
}

#[async_trait]
impl Service for KisSecurities {
    async fn call(&self, tool: &str, args: Args<'_>) -> Result<Value, ServiceFault> {
        match tool {
            "USStockPrice_kis" => self.us_price(args).await,
            "StockChart_kis" => self.chart(args).await,
            _ => self.price(args).await,
        }
    }

    fn line(&self) -> &Connection {
        &self.line
    }
}

impl KisSecurities {
    async fn price(&self, args: Args<'_>) -> Result<Value, ServiceFault> {
        let output = self
            .output(&Quotation {
                path: "uapi/domestic-stock/v1/quotations/inquire-price",
                transaction: "FHKST01010100",
                query: vec![("FID_COND_MRKT_DIV_CODE", "J"), ("FID_INPUT_ISCD", args.text("symbol"))],
            })
            .await?;
        Ok(json!({
            "symbol": args.echo("symbol"),
            "market": args.echo("market"),
            // The service has no such field; recorded answers have null here too.
            "name": null,
            "current_price": self.int(&output, "stck_prpr")?,
            "change_rate": self.float(&output, "prdy_ctrt")?,
            "volume": self.int(&output, "acml_vol")?,
        }))
    }

    async fn us_price(&self, args: Args<'_>) -> Result<Value, ServiceFault> {
        let exchange = if args.text("exchange") == "NASDAQ" { "NAS" } else { "NYS" };
        let output = self
            .output(&Quotation {
                path: "uapi/overseas-price/v1/quotations/price",
                transaction: "HHDFS00000300",
                query: vec![("AUTH", ""), ("EXCD", exchange), ("SYMB", args.text("symbol"))],
            })
            .await?;
        Ok(json!({
            "symbol": args.echo("symbol"),
            "exchange": args.echo("exchange"),
            "current_price": self.float(&output, "last")?,
            "change_rate": self.float(&output, "rate")?,
            "volume": self.int(&output, "tvol")?,
        }))
    }

    async fn chart(&self, args: Args<'_>) -> Result<Value, ServiceFault> {
        let period = match args.text("period") {
            period @ ("W" | "M" | "Y") => period,
            _ => "D",
        };
        let output = self
            .output(&Quotation {
                path: "uapi/domestic-stock/v1/quotations/inquire-daily-price",
                transaction: "FHKST01010400",
                query: vec![
                    ("FID_COND_MRKT_DIV_CODE", "J"),
                    ("FID_INPUT_ISCD", args.text("symbol")),
                    ("FID_PERIOD_DIV_CODE", period),
                    ("FID_ORG_ADJ_PRC", "0"),
                ],
            })
            .await?;
        let rows = output.as_array().ok_or_else(|| self.line.strange(say!("it has no list of candles")))?;
        // A negative number counts from the end, as in Python.
        let count = args.int("count").unwrap_or(30);
        let length = if count < 0 {
            rows.len().saturating_sub(count.unsigned_abs() as usize)
        } else {
            rows.len().min(count as usize)
        };
        let data: Result<Vec<Value>, ServiceFault> = rows[..length]
            .iter()
            .map(|row| {
                Ok(json!({
                    "date": row["stck_bsop_date"],
                    "open": self.int(row, "stck_oprc")?,
                    "high": self.int(row, "stck_hgpr")?,
                    "low": self.int(row, "stck_lwpr")?,
                    "close": self.int(row, "stck_clpr")?,
                    "volume": self.int(row, "acml_vol")?,
                }))
            })
            .collect();
        Ok(json!({ "symbol": args.echo("symbol"), "period": args.echo("period"), "data": data? }))
    }

    /// The `output` of an answer; a business error has the service's message.
    async fn output(&self, quotation: &Quotation<'_>) -> Result<Value, ServiceFault> {
        let token = self.token(None).await?;
        let mut answer = self.ask(quotation, &token).await?;
        if refuses_login(&answer) {
            let token = self.token(Some(&token)).await?;
            answer = self.ask(quotation, &token).await?;
        }
        let mut body = answer.ok_json(&self.line)?;
        if body["rt_cd"].as_str().is_some_and(|code| code != "0") {
            return Err(self.line.reports(&complaint(&body)));
        }
        Ok(body["output"].take())
    }

    async fn ask(
        &self,
        quotation: &Quotation<'_>,
        token: &Sensitive<String>,
    ) -> Result<Answer, ServiceFault> {
        let bearer = self.line.bearer(token)?;
        let ask = self
            .line
            .get(quotation.path)
            .header("content-type", HeaderValue::from_static("application/json"))
            .header("authorization", bearer)
            .header("appkey", self.key.clone())
            .header("appsecret", self.secret.clone())
            .header("tr_id", HeaderValue::from_static(quotation.transaction));
        let ask = quotation.query.iter().fold(ask, |ask, (name, value)| ask.query(name, value));
        ask.send().await
    }

    async fn token(&self, refused: Option<&Sensitive<String>>) -> Result<Sensitive<String>, ServiceFault> {
        let token = self.login.token(refused, self.issue()).await?;
        self.line.hide(&token);
        Ok(token)
    }

    async fn issue(&self) -> Result<IssuedLogin, ServiceFault> {
        let body = json!({
            "grant_type": "client_credentials", "appkey": self.line.key(0), "appsecret": self.line.key(1),
        });
        let answer = self.line.post("oauth2/tokenP").json(&body).send().await?;
        self.line.issued_login(&answer)
    }

    fn int(&self, from: &Value, field: &str) -> Result<i64, ServiceFault> {
        let value = &from[field];
        value.as_i64().or_else(|| value.as_str()?.trim().parse().ok()).ok_or_else(|| self.no_number(field))
    }

    fn float(&self, from: &Value, field: &str) -> Result<f64, ServiceFault> {
        let value = &from[field];
        value.as_f64().or_else(|| value.as_str()?.trim().parse().ok()).ok_or_else(|| self.no_number(field))
    }

    /// Fault of a missing number: an unknown stock has blanks instead of figures.
    fn no_number(&self, field: &str) -> ServiceFault {
        self.line.strange(say!("it has no number for {field}; is the symbol right?"))
    }
}

/// Whether the answer refuses the login. Invalid and expired logins are reported as a code, mostly
/// with status 500.
fn refuses_login(answer: &Answer) -> bool {
    let code = answer.parsed().and_then(|body| Some(body.get("msg_cd")?.as_str()?.to_owned()));
    answer.status == 401 || matches!(code.as_deref(), Some("EGW00121" | "EGW00123"))
}
