//! Kakao Local: places, addresses and coordinates (`docs/spec/tools.md` §10.9).

use super::args::Args;
use super::connection::{Connection, ServiceRequest};
use super::service::Service;
use super::token::LoginTokens;
use super::{BadService, ServiceInfo};
use async_trait::async_trait;
use koab_core::say;
use koab_engine::ports::ServiceFault;
use reqwest::header::HeaderValue;
use serde_json::{Value, json};

pub(super) const INFO: ServiceInfo = ServiceInfo {
    name: "kakao_local",
    title: "Kakao Local",
    address: "https://dapi.kakao.com",
    variable: "KOAB_KAKAO_LOCAL_URL",
    keys: &["KAKAO_REST_API_KEY"],
    tools: &["PlaceSearch_kakao", "AddressToCoord_kakao", "CategorySearch_kakao", "CoordToAddress_kakao"],
};

/// Maximum radius of a search in metres.
const MAX_RADIUS_METRES: i64 = 20_000;

struct KakaoLocal {
    key: HeaderValue,
    line: Connection,
}

pub(super) fn open(line: Connection, _: &LoginTokens) -> Result<Box<dyn Service>, BadService> {
    Ok(Box::new(KakaoLocal { key: line.key_header(0, "KakaoAK ")?, line }))
}

#[async_trait]
impl Service for KakaoLocal {
    async fn call(&self, tool: &str, args: Args<'_>) -> Result<Value, ServiceFault> {
        match tool {
            "AddressToCoord_kakao" => self.coordinates(args).await,
            "CategorySearch_kakao" => self.category(args).await,
            "CoordToAddress_kakao" => self.address(args).await,
            _ => self.places(args).await,
        }
    }

    fn line(&self) -> &Connection {
        &self.line
    }
}

impl KakaoLocal {
    async fn places(&self, args: Args<'_>) -> Result<Value, ServiceFault> {
        let mut ask = self
            .ask("search/keyword.json")
            .query("query", args.text("keyword"))
            .query_if("sort", args.written("sort"))
            .query("page", args.written("page").unwrap_or_else(|| "1".to_owned()))
            .query("size", args.written("size").unwrap_or_else(|| "15".to_owned()));
        if let (Some(x), Some(y)) = (args.truthy("x"), args.truthy("y")) {
            ask = ask.query("x", x).query("y", y);
        }
        let radius = args.int("radius").filter(|radius| *radius != 0);
        let ask = ask.query_if("radius", radius.map(|radius| radius.min(MAX_RADIUS_METRES).to_string()));
        let body = ask.send().await?.ok_json(&self.line)?;
        let places = self.documents(&body)?.iter().map(|place| {
            Ok(json!({
                "name": text(place, "place_name"),
                "latitude": self.degrees(place, "y")?,
                "longitude": self.degrees(place, "x")?,
                "address": text(place, "address_name"),
                "road_address": text(place, "road_address_name"),
                "phone": text(place, "phone"),
                "category": text(place, "category_name"),
                "distance": text(place, "distance"),
            }))
        });
        let places: Vec<Value> = places.collect::<Result<_, ServiceFault>>()?;
        Ok(json!({
            "keyword": args.echo("keyword"), "total_count": body["meta"]["total_count"], "places": places,
        }))
    }

    async fn category(&self, args: Args<'_>) -> Result<Value, ServiceFault> {
        let radius = args.int("radius").unwrap_or(1000).min(MAX_RADIUS_METRES);
        let body = self
            .ask("search/category.json")
            .query("category_group_code", args.text("category"))
            .query_if("x", args.written("x"))
            .query_if("y", args.written("y"))
            .query("radius", radius.to_string())
            .query("page", "1")
            .query("size", args.written("size").unwrap_or_else(|| "15".to_owned()))
            .send()
            .await?
            .ok_json(&self.line)?;
        let places = self.documents(&body)?.iter().map(|place| {
            Ok(json!({
                "name": text(place, "place_name"),
                "latitude": self.degrees(place, "y")?,
                "longitude": self.degrees(place, "x")?,
                "address": text(place, "address_name"),
                "phone": text(place, "phone"),
                "distance": text(place, "distance"),
            }))
        });
        let places: Vec<Value> = places.collect::<Result<_, ServiceFault>>()?;
        Ok(json!({
            "category": args.echo("category"), "total_count": body["meta"]["total_count"], "places": places,
        }))
    }

    async fn coordinates(&self, args: Args<'_>) -> Result<Value, ServiceFault> {
        let address = args.text("address");
        let body =
            self.ask("search/address.json").query("query", address).send().await?.ok_json(&self.line)?;
        let Some(first) = self.documents(&body)?.first() else {
            return Err(self.line.refuses(say!("Kakao Local finds no address like '{address}'")));
        };
        Ok(json!({
            "address": address,
            "latitude": self.degrees(first, "y")?,
            "longitude": self.degrees(first, "x")?,
            "address_name": text(first, "address_name"),
        }))
    }

    async fn address(&self, args: Args<'_>) -> Result<Value, ServiceFault> {
        let body = self
            .ask("geo/coord2address.json")
            .query_if("x", args.written("longitude"))
            .query_if("y", args.written("latitude"))
            .send()
            .await?
            .ok_json(&self.line)?;
        let Some(first) = self.documents(&body)?.first() else {
            return Err(self.line.refuses(say!("Kakao Local finds no address at these coordinates")));
        };
        let (road, lot) = (&first["road_address"], &first["address"]);
        let region = |field: &str| match text(road, field) {
            empty if empty == "" => text(lot, field),
            value => value,
        };
        Ok(json!({
            "latitude": args.echo("latitude"),
            "longitude": args.echo("longitude"),
            "road_address": text(road, "address_name"),
            "jibun_address": text(lot, "address_name"),
            "building_name": text(road, "building_name"),
            "region_1depth": region("region_1depth_name"),
            "region_2depth": region("region_2depth_name"),
            "region_3depth": region("region_3depth_name"),
            "zone_no": text(road, "zone_no"),
        }))
    }

    fn ask(&self, path: &str) -> ServiceRequest<'_> {
        self.line.get(&format!("v2/local/{path}")).header("authorization", self.key.clone())
    }

    fn documents<'a>(&self, body: &'a Value) -> Result<&'a Vec<Value>, ServiceFault> {
        body["documents"].as_array().ok_or_else(|| self.line.strange(say!("it has no list of documents")))
    }

    fn degrees(&self, place: &Value, axis: &str) -> Result<f64, ServiceFault> {
        let value = &place[axis];
        value
            .as_f64()
            .or_else(|| value.as_str()?.trim().parse().ok())
            .ok_or_else(|| self.line.strange(say!("a place has no coordinates")))
    }
}

/// A field unchanged, or an empty text if it is absent.
fn text(from: &Value, field: &str) -> Value {
    match from.get(field) {
        None | Some(Value::Null) => Value::from(""),
        Some(value) => value.clone(),
    }
}
