//! Bithumb's public API (`docs/spec/tools.md` §10.4). It needs no key; answers are returned
//! unchanged.

use super::args::Args;
use super::connection::{Connection, ServiceRequest, complaint, error_object, showing};
use super::service::Service;
use super::token::LoginTokens;
use super::{BadService, ServiceInfo};
use async_trait::async_trait;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_engine::ports::ServiceFault;
use serde_json::Value;

pub(super) const INFO: ServiceInfo = ServiceInfo {
    name: "bithumb",
    title: "Bithumb",
    address: "https://api.bithumb.com",
    variable: "KOAB_BITHUMB_URL",
    keys: &[],
    tools: &["CryptoPrice_bithumb", "OrderBook_bithumb", "CryptoCandle_bithumb", "MarketList_bithumb"],
};

/// Allowed lengths of candles in minutes, for Bithumb and Upbit.
pub(super) const UNITS: [&str; 8] = ["1", "3", "5", "10", "15", "30", "60", "240"];

struct Bithumb {
    line: Connection,
}

pub(super) fn open(line: Connection, _: &LoginTokens) -> Result<Box<dyn Service>, BadService> {
    Ok(Box::new(Bithumb { line }))
}

#[async_trait]
impl Service for Bithumb {
    async fn call(&self, tool: &str, args: Args<'_>) -> Result<Value, ServiceFault> {
        let ask = match tool {
            "OrderBook_bithumb" => self.line.get("v1/orderbook").query("markets", args.text("markets")),
            "CryptoCandle_bithumb" => self.candles(args)?,
            "MarketList_bithumb" => {
                let details = args.get("isDetails").and_then(Value::as_bool).unwrap_or(false);
                self.line.get("v1/market/all").query("isDetails", details.to_string())
            }
            _ => self.line.get("v1/ticker").query("markets", args.text("markets")),
        };
        let answer = ask.accept_json().send().await?;
        let body = answer.json(&self.line)?;
        // Errors come with any status, including 200.
        if body.get("error").is_some() {
            return Err(showing(self.line.reports(&complaint(&body)), body));
        }
        answer.checked(&self.line)?;
        Ok(body)
    }

    fn line(&self) -> &Connection {
        &self.line
    }
}

impl Bithumb {
    fn candles(&self, args: Args<'_>) -> Result<ServiceRequest<'_>, ServiceFault> {
        let refuse = |why: Sentence| {
            let value = error_object(&why);
            showing(self.line.refuses(why), value)
        };
        let (time, market) = (args.text("time"), args.text("market"));
        let count = args.int("count").unwrap_or(1);
        let path = match time {
            "minutes" => {
                let unit = args.written("unit").unwrap_or_else(|| "1".to_owned());
                let unit = unit.trim();
                if !UNITS.contains(&unit) {
                    return Err(refuse(say!("unit must be one of {}, not '{unit}'", UNITS.join(", "))));
                }
                format!("v1/candles/minutes/{unit}")
            }
            "days" | "weeks" | "months" => format!("v1/candles/{time}"),
            _ => {
                return Err(refuse(say!("time must be minutes, days, weeks or months, not '{time}'")));
            }
        };
        if !(1..=200).contains(&count) {
            return Err(refuse(say!("count must be from 1 to 200, not {count}")));
        }
        if market.is_empty() {
            return Err(refuse(say!("market must not be empty")));
        }
        Ok(self
            .line
            .get(&path)
            .query("market", market)
            .query("count", count.to_string())
            .query_if("to", args.truthy("to")))
    }
}
