//! Upbit's quotation API (`docs/spec/tools.md` §10.5). It needs no key.
//!
//! The published tool returns the rate of change without its sign, so a fall looks like a rise.
//! Here it has its sign (§13, row 4).

use super::args::Args;
use super::bithumb::UNITS;
use super::connection::{Connection, error_object, showing};
use super::service::Service;
use super::token::LoginTokens;
use super::{BadService, ServiceInfo};
use async_trait::async_trait;
use koab_core::say;
use koab_engine::ports::ServiceFault;
use serde_json::{Value, json};

pub(super) const INFO: ServiceInfo = ServiceInfo {
    name: "upbit",
    title: "Upbit",
    address: "https://api.upbit.com",
    variable: "KOAB_UPBIT_URL",
    keys: &[],
    tools: &["CryptoPrice_upbit", "MarketList_upbit", "CryptoCandle_upbit"],
};

struct Upbit {
    line: Connection,
}

pub(super) fn open(line: Connection, _: &LoginTokens) -> Result<Box<dyn Service>, BadService> {
    Ok(Box::new(Upbit { line }))
}

#[async_trait]
impl Service for Upbit {
    async fn call(&self, tool: &str, args: Args<'_>) -> Result<Value, ServiceFault> {
        match tool {
            "MarketList_upbit" => self.markets(args).await,
            "CryptoCandle_upbit" => self.candles(args).await,
            _ => self.price(args).await,
        }
    }

    fn line(&self) -> &Connection {
        &self.line
    }
}

impl Upbit {
    async fn price(&self, args: Args<'_>) -> Result<Value, ServiceFault> {
        let market = market(args);
        let answer = self.line.get("v1/ticker").query("markets", &market).send().await?;
        let body = answer.ok_json(&self.line)?;
        let ticker = body.get(0).ok_or_else(|| self.line.strange(say!("it has no ticker")))?;
        let rate = ticker["signed_change_rate"].as_f64().or_else(|| {
            let rate = ticker["change_rate"].as_f64()?;
            Some(if ticker["change"] == "FALL" { -rate } else { rate })
        });
        let rate = rate.ok_or_else(|| self.line.strange(say!("it has no rate of change")))?;
        Ok(json!({
            "symbol": args.echo("symbol"),
            "quote": args.echo("quote"),
            "market": market,
            "current_price": ticker["trade_price"],
            "change_rate": rate * 100.0,
            "volume": ticker["acc_trade_volume_24h"],
            "high_price": ticker["high_price"],
            "low_price": ticker["low_price"],
        }))
    }

    /// The whole list of markets; the engine cuts it later to the length that a model sees.
    async fn markets(&self, args: Args<'_>) -> Result<Value, ServiceFault> {
        let answer = self.line.get("v1/market/all").query("isDetails", "true").send().await?;
        let body = answer.ok_json(&self.line)?;
        let all = body.as_array().ok_or_else(|| self.line.strange(say!("it has no list of markets")))?;
        let quote = args.text("quote");
        let matches_quote = |market: &&Value| {
            quote == "ALL"
                || market["market"].as_str().is_some_and(|name| name.split('-').next() == Some(quote))
        };
        let markets: Vec<Value> = all
            .iter()
            .filter(matches_quote)
            .map(|market| {
                json!({
                    "market": market["market"],
                    "korean_name": market["korean_name"],
                    "english_name": market["english_name"],
                })
            })
            .collect();
        let count = markets.len();
        Ok(json!({ "quote": quote, "markets": markets, "count": count }))
    }

    async fn candles(&self, args: Args<'_>) -> Result<Value, ServiceFault> {
        let (kind, market) = (args.text("candle_type"), market(args));
        let path = match kind {
            "minutes" => {
                let unit = args.written("unit").unwrap_or_else(|| "1".to_owned());
                if !UNITS.contains(&unit.as_str()) {
                    let why = say!("unit must be one of {}, not '{unit}'", UNITS.join(", "));
                    let value = error_object(&why);
                    return Err(showing(self.line.refuses(why), value));
                }
                format!("v1/candles/minutes/{unit}")
            }
            "days" | "weeks" | "months" => format!("v1/candles/{kind}"),
            // The service has no other path, and a model's text is never put into one.
            _ => {
                return Err(self
                    .line
                    .refuses(say!("candle_type must be minutes, days, weeks or months, not '{kind}'")));
            }
        };
        let answer = self
            .line
            .get(&path)
            .query("market", &market)
            .query("count", args.int("count").unwrap_or(30).min(200).to_string())
            .query_if("to", args.truthy("to"))
            .send()
            .await?;
        let body = answer.ok_json(&self.line)?;
        let candles = body.as_array().ok_or_else(|| self.line.strange(say!("it has no list of candles")))?;
        let data: Vec<Value> = candles
            .iter()
            .map(|candle| {
                json!({
                    "timestamp": candle["candle_date_time_kst"],
                    "open": candle["opening_price"],
                    "high": candle["high_price"],
                    "low": candle["low_price"],
                    "close": candle["trade_price"],
                    "volume": candle["candle_acc_trade_volume"],
                })
            })
            .collect();
        Ok(json!({ "symbol": args.echo("symbol"), "market": market, "candle_type": kind, "data": data }))
    }
}

fn market(args: Args<'_>) -> String {
    format!("{}-{}", args.text("quote"), args.text("symbol"))
}
