//! SK TMAP Open API (`docs/spec/tools.md` §10.10).
//!
//! The key is always sent in a header. The published tool for addresses puts it into the address,
//! which then appears in recorded errors. Models see failures in the published form.

use super::args::Args;
use super::connection::{Connection, ServiceRequest, showing};
use super::service::Service;
use super::token::LoginTokens;
use super::{BadService, ServiceInfo};
use async_trait::async_trait;
use koab_core::sentence::Sentence;
use koab_engine::ports::ServiceFault;
use reqwest::header::HeaderValue;
use serde_json::{Value, json};

pub(super) const INFO: ServiceInfo = ServiceInfo {
    name: "tmap",
    title: "TMAP",
    address: "https://apis.openapi.sk.com",
    variable: "KOAB_TMAP_URL",
    keys: &["TMAP_APP_KEY"],
    tools: &["POISearch_tmap", "CarRoute_tmap", "Geocoding_tmap", "WalkRoute_tmap", "CategorySearch_tmap"],
};

/// Coordinate system of GPS.
const DEGREES: &str = "WGS84GEO";

struct Tmap {
    key: HeaderValue,
    line: Connection,
}

pub(super) fn open(line: Connection, _: &LoginTokens) -> Result<Box<dyn Service>, BadService> {
    Ok(Box::new(Tmap { key: line.key_header(0, "")?, line }))
}

#[async_trait]
impl Service for Tmap {
    async fn call(&self, tool: &str, args: Args<'_>) -> Result<Value, ServiceFault> {
        let ask = match tool {
            "CarRoute_tmap" => self.car_route(args),
            "Geocoding_tmap" => self.geocoding(args),
            "WalkRoute_tmap" => self.walk_route(args),
            "CategorySearch_tmap" => self.around(args),
            _ => self.pois(args),
        };
        let answer = match ask.send().await {
            Ok(answer) => answer.ok_json(&self.line),
            Err(fault) => Err(fault),
        };
        let body = answer.map_err(|fault| {
            let value = failure(tool, &fault.message);
            showing(fault, value)
        })?;
        Ok(match tool {
            "CategorySearch_tmap" => places(body),
            _ => body,
        })
    }

    fn line(&self) -> &Connection {
        &self.line
    }
}

impl Tmap {
    fn pois(&self, args: Args<'_>) -> ServiceRequest<'_> {
        let count = args.int("count").unwrap_or(10).min(200);
        let ask = self
            .get("tmap/pois")
            .query("searchKeyword", args.text("searchKeyword"))
            .query("count", count.to_string())
            .query_if("page", args.written("page"))
            .query("reqCoordType", DEGREES)
            .query("resCoordType", DEGREES);
        match (args.written("centerLon"), args.written("centerLat")) {
            (Some(lon), Some(lat)) => ask.query("centerLon", lon).query("centerLat", lat),
            _ => ask,
        }
    }

    fn around(&self, args: Args<'_>) -> ServiceRequest<'_> {
        self.get("tmap/pois/search/around")
            .query("version", "1")
            .query("page", "1")
            .query_if("count", args.written("count"))
            .query("categories", args.text("categories"))
            .query_if("centerLon", args.written("centerLon"))
            .query_if("centerLat", args.written("centerLat"))
            .query_if("radius", args.written("radius"))
            .query("reqCoordType", DEGREES)
            .query("resCoordType", DEGREES)
            .query("multiPoint", "N")
            .query("sort", "distance")
    }

    fn geocoding(&self, args: Args<'_>) -> ServiceRequest<'_> {
        self.get("tmap/geo/geocoding")
            .query("version", "1.0")
            .query("city_do", args.text("city_do"))
            .query("gu_gun", args.text("gu_gun"))
            .query("dong", args.text("dong"))
            .query("addressFlag", "F01")
            .query("coordType", DEGREES)
            .query_if("bunji", args.truthy("bunji"))
            .query_if("detailAddress", args.truthy("detailAddress"))
    }

    fn car_route(&self, args: Args<'_>) -> ServiceRequest<'_> {
        let text = |name: &str| args.written(name).unwrap_or_default();
        self.post("tmap/routes").json(&json!({
            "startX": text("startX"), "startY": text("startY"), "endX": text("endX"), "endY": text("endY"),
            "searchOption": text("searchOption"),
        }))
    }

    fn walk_route(&self, args: Args<'_>) -> ServiceRequest<'_> {
        let text = |name: &str| args.written(name).unwrap_or_default();
        self.post("tmap/routes/pedestrian").json(&json!({
            "startX": text("startX"), "startY": text("startY"), "endX": text("endX"), "endY": text("endY"),
            "reqCoordType": DEGREES, "resCoordType": DEGREES, "startName": "출발지", "endName": "도착지",
        }))
    }

    fn get(&self, path: &str) -> ServiceRequest<'_> {
        self.line.get(path).accept_json().header("appkey", self.key.clone())
    }

    fn post(&self, path: &str) -> ServiceRequest<'_> {
        self.line.post(path).accept_json().header("appkey", self.key.clone())
    }
}

/// Failure as the model receives it: in the words of the published tools, without the address.
fn failure(tool: &str, message: &Sentence) -> Value {
    let (what, actions): (&str, &[&str]) = match tool {
        "CarRoute_tmap" => ("자동차 경로", &["좌표 범위 확인", "경로 검색 옵션 확인"]),
        "WalkRoute_tmap" => ("보행자 경로", &["좌표 범위 확인", "도보 가능 거리 확인"]),
        "Geocoding_tmap" => ("주소 변환", &[]),
        "CategorySearch_tmap" => (
            "카테고리 검색",
            &[
                "categories 명칭 확인 (예: 카페, 병원, 주유소 등)",
                "좌표(centerLon/centerLat) 확인",
                "반경(radius) 1~33 범위 내 설정",
                "appKey 권한 확인",
            ],
        ),
        _ => ("POI 검색", &["API 키 확인", "네트워크 연결 확인"]),
    };
    let mut value = json!({
        "success": false,
        "error_code": "API_REQUEST_FAILED",
        "error_message": format!("{what} API 호출 실패: {message}"),
    });
    if !actions.is_empty() {
        value["suggested_actions"] = json!(actions);
    }
    value
}

/// Places around a point, in the layout of the published tool. An answer without the expected
/// structure is returned unchanged.
fn places(body: Value) -> Value {
    let Some(info) = body.get("searchPoiInfo") else {
        return body;
    };
    let pois = info.pointer("/pois/poi").and_then(Value::as_array);
    let pois: Vec<Value> = pois
        .into_iter()
        .flatten()
        .map(|poi| {
            let text = |field: &str| poi.get(field).and_then(Value::as_str).unwrap_or_default();
            let value = |field: &str| match poi.get(field) {
                None | Some(Value::Null) => Value::from(""),
                Some(value) => value.clone(),
            };
            let address = [text("upperAddrName"), text("middleAddrName"), text("lowerAddrName")];
            json!({
                "name": value("name"),
                "telNo": value("telNo"),
                "latitude": value("noorLat"),
                "longitude": value("noorLon"),
                "address": address.join(" ").trim(),
                "roadName": value("roadName"),
                "buildingNo": format!("{}-{}", text("firstBuildNo"), text("secondBuildNo")),
                "radius_km": value("radius"),
                "dataKind": value("dataKind"),
                "stId": value("stId"),
                "parkFlag": value("parkFlag"),
                "merchantFlag": value("merchantFlag"),
            })
        })
        .collect();
    // These fields are numbers here, but texts in the place search of the same service.
    let number = |field: &str, otherwise: i64| match info.get(field) {
        Some(Value::String(text)) => text.trim().parse::<i64>().map_or_else(|_| json!(text), Value::from),
        Some(value) if !value.is_null() => value.clone(),
        _ => otherwise.into(),
    };
    json!({
        "totalCount": number("totalCount", 0), "count": number("count", 0), "page": number("page", 1), "pois": pois,
    })
}
