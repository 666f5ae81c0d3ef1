//! Aladin's TTB Open API (`docs/spec/tools.md` §10.8).
//!
//! The service accepts its key only in the address, so its addresses are never shown. Errors come
//! with status 200.

use super::args::Args;
use super::connection::{Answer, Connection, ServiceRequest, complaint, showing};
use super::service::Service;
use super::token::LoginTokens;
use super::{BadService, ServiceInfo};
use async_trait::async_trait;
use koab_core::say;
use koab_engine::ports::ServiceFault;
use serde_json::Value;

pub(super) const INFO: ServiceInfo = ServiceInfo {
    name: "aladin",
    title: "Aladin",
    address: "http://www.aladin.co.kr/ttb/api",
    variable: "KOAB_ALADIN_URL",
    keys: &["ALADIN_API_KEY"],
    tools: &["ItemSearch_aladin", "ItemList_aladin", "ItemLookup_aladin"],
};

/// Version of the answers that the published tools expect.
const VERSION: &str = "20131101";

struct Aladin {
    line: Connection,
}

pub(super) fn open(line: Connection, _: &LoginTokens) -> Result<Box<dyn Service>, BadService> {
    Ok(Box::new(Aladin { line }))
}

#[async_trait]
impl Service for Aladin {
    async fn call(&self, tool: &str, args: Args<'_>) -> Result<Value, ServiceFault> {
        let ask = match tool {
            "ItemList_aladin" => self.list(args),
            "ItemLookup_aladin" => self.lookup(args),
            _ => self.search(args),
        };
        let answer = ask.send().await?;
        self.read(answer.checked(&self.line)?, args.text("output") == "xml")
    }

    fn line(&self) -> &Connection {
        &self.line
    }
}

impl Aladin {
    fn search(&self, args: Args<'_>) -> ServiceRequest<'_> {
        self.ask("ItemSearch.aspx")
            .query("Query", args.text("query"))
            .query("QueryType", args.text("query_type"))
            .query("SearchTarget", "Book")
            .query_if("start", args.written("start"))
            .query_if("MaxResults", args.written("max_results"))
            .query("Sort", args.text("sort"))
            .query("Cover", args.text("cover"))
            .query("CategoryId", category(args))
            .query("output", args.text("output"))
            .query("outofStockFilter", stock_filter(args))
            .query("Version", VERSION)
            .query_if("OptResult", args.truthy("opt_result"))
    }

    fn list(&self, args: Args<'_>) -> ServiceRequest<'_> {
        self.ask("ItemList.aspx")
            .query("QueryType", args.text("query_type"))
            .query("SearchTarget", args.text("search_target"))
            .query_if("start", args.written("start"))
            .query_if("MaxResults", args.written("max_results"))
            .query("Cover", args.text("cover"))
            .query("CategoryId", category(args))
            .query("output", args.text("output"))
            .query("outofStockFilter", stock_filter(args))
            .query("Version", VERSION)
            .query_if("SubSearchTarget", args.truthy("sub_search_target"))
            .query_if("Year", args.truthy("year"))
            .query_if("Month", args.truthy("month"))
            .query_if("Week", args.truthy("week"))
    }

    fn lookup(&self, args: Args<'_>) -> ServiceRequest<'_> {
        self.ask("ItemLookUp.aspx")
            .query("ItemId", args.text("item_id"))
            .query("ItemIdType", args.text("item_id_type"))
            .query("Cover", args.text("cover"))
            .query("output", args.text("output"))
            .query("Version", VERSION)
            .query_if("OptResult", args.truthy("opt_result"))
    }

    fn ask(&self, page: &str) -> ServiceRequest<'_> {
        self.line.get(page).query("ttbkey", self.line.key(0))
    }

    fn read(&self, answer: &Answer, xml: bool) -> Result<Value, ServiceFault> {
        let text = answer.text();
        if xml {
            let is_error =
                text.contains("<errorCode>") || text.contains("<error ") || text.contains("<error>");
            return if is_error {
                Err(showing(self.line.reports(&text), Value::String(text)))
            } else {
                Ok(Value::String(text))
            };
        }
        // Some answers end with a semicolon, like a statement of a program.
        let json = text.trim().trim_end_matches(';');
        let body: Value =
            serde_json::from_str(json).map_err(|_| self.line.strange(say!("it is not JSON")))?;
        if body.get("errorCode").is_some() {
            return Err(showing(self.line.reports(&complaint(&body)), body));
        }
        Ok(body)
    }
}

fn category(args: Args<'_>) -> String {
    args.written("category_id").unwrap_or_else(|| "0".to_owned())
}

/// A whole number; any other value means no filter.
fn stock_filter(args: Args<'_>) -> String {
    args.int("out_of_stock_filter").unwrap_or(0).to_string()
}
