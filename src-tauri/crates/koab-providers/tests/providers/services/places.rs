//! Maps: NAVER Directions, Kakao Local, TMAP.

use super::{Imitation, answer, fault, refusal};
use crate::providers::support::Script;
use serde_json::{Value, json};

#[tokio::test]
async fn directions_naver() {
    let body = json!({ "code": 0, "message": "길찾기를 성공하였습니다.", "route": { "trafast": [{ "summary": { "distance": 1 }, "path": [] }] } });
    let naver = Imitation::start(vec![Script::json(&body.to_string())]).await;
    let args = json!({
        "start": "126.97,37.55", "goal": "126.45,37.46", "waypoints": "126.9,37.5|126.8,37.4",
        "option": "trafast:traavoidtoll",
    });
    assert_eq!(naver.call("Directions_naver", args).await, Ok(body));
    insta::assert_snapshot!(naver.asked(0), @r"
    GET /map-direction/v1/driving
    ? start=126.97,37.55
    ? goal=126.45,37.46
    ? waypoints=126.9,37.5|126.8,37.4
    ? option=trafast:traavoidtoll
    x-ncp-apigw-api-key-id: canary/Directions_Client_ID
    x-ncp-apigw-api-key: canary/Directions_Client_Secret
    ");
}

#[tokio::test]
async fn directions_naver_finds_nothing_or_fails() {
    let args = || json!({ "start": "1,1", "goal": "2,2" });
    let nothing = json!({ "code": 1, "message": "출발지와 도착지가 동일합니다.", "route": null });
    let naver = Imitation::start(vec![Script::json(&nothing.to_string())]).await;
    assert_eq!(naver.call("Directions_naver", args()).await, Ok(nothing), "nothing found is an answer");
    assert_eq!(naver.asked(0).matches("? ").count(), 2, "what is not given is not sent");

    let body = r#"{"error":{"errorCode":"200","message":"Authentication Failed for canary/Directions_Client_ID","details":"Invalid"}}"#;
    let (message, shown) = fault("Directions_naver", args(), vec![refusal("401 Unauthorized", body)]).await;
    assert_eq!(message, "NAVER Maps answered HTTP 401: Authentication Failed for ••••");
    assert_eq!(shown, Some(json!({ "error": message, "status": "error" })));

    let (message, shown) = fault("Directions_naver", args(), vec![Script::json("<html>")]).await;
    assert_eq!(message, "the answer of NAVER Maps cannot be used: it is not JSON");
    assert_eq!(shown, Some(json!({ "error": message, "status": "error" })));

    let naver = Imitation::start(vec![Script::json("{}")]).await;
    let refused = naver.call("Directions_naver", json!({ "start": "", "goal": "2,2" })).await;
    let refused = refused.expect_err("an empty start");
    assert_eq!(
        refused.shown,
        Some(json!({ "error": "start and goal must not be empty", "status_code": 400 }))
    );
    assert_eq!(naver.requests(), 0);
}

fn kakao_place() -> Value {
    json!({
        "id": "1", "place_name": "스타벅스", "category_name": "음식점 > 카페", "category_group_code": "CE7", "phone": "1522-3232",
        "address_name": "서울 강남구 역삼동 858", "road_address_name": "서울 강남구 강남대로 1", "x": "127.02810165133745",
        "y": "37.49701321401818", "place_url": "http://place", "distance": "9",
    })
}

fn kakao_body() -> Value {
    json!({ "meta": { "total_count": 219, "pageable_count": 45, "is_end": false }, "documents": [kakao_place()] })
}

#[tokio::test]
async fn place_search_kakao() {
    let kakao = Imitation::start(vec![Script::json(&kakao_body().to_string())]).await;
    let args = json!({ "keyword": "강남 카페", "x": 127.0, "y": 37.497, "radius": 30000, "size": 5, "sort": "distance" });
    let result = kakao.call("PlaceSearch_kakao", args).await.expect("places");
    assert_eq!(
        result,
        json!({ "keyword": "강남 카페", "total_count": 219, "places": [{
            "name": "스타벅스", "latitude": 37.49701321401818, "longitude": 127.02810165133745,
            "address": "서울 강남구 역삼동 858", "road_address": "서울 강남구 강남대로 1", "phone": "1522-3232",
            "category": "음식점 > 카페", "distance": "9",
        }] })
    );
    insta::assert_snapshot!(kakao.asked(0), @r"
    GET /v2/local/search/keyword.json
    ? query=강남 카페
    ? sort=distance
    ? page=1
    ? size=5
    ? x=127.0
    ? y=37.497
    ? radius=20000
    authorization: KakaoAK canary/KAKAO_REST_API_KEY
    ");
    // Half a centre is none, and a radius of 0 is none either.
    let kakao = Imitation::start(vec![Script::json(&kakao_body().to_string())]).await;
    let args = json!({ "keyword": "카페", "x": 127, "y": 0, "radius": 0, "sort": "accuracy" });
    kakao.call("PlaceSearch_kakao", args).await.expect("places");
    insta::assert_snapshot!(kakao.asked(0), @r"
    GET /v2/local/search/keyword.json
    ? query=카페
    ? sort=accuracy
    ? page=1
    ? size=15
    authorization: KakaoAK canary/KAKAO_REST_API_KEY
    ");
}

#[tokio::test]
async fn category_search_kakao() {
    let kakao = Imitation::start(vec![Script::json(&kakao_body().to_string())]).await;
    let args = json!({ "category": "CE7", "x": 129, "y": 35.163, "radius": 800, "size": 15 });
    let result = kakao.call("CategorySearch_kakao", args).await.expect("places");
    assert_eq!(
        result,
        json!({ "category": "CE7", "total_count": 219, "places": [{
            "name": "스타벅스", "latitude": 37.49701321401818, "longitude": 127.02810165133745,
            "address": "서울 강남구 역삼동 858", "phone": "1522-3232", "distance": "9",
        }] })
    );
    insta::assert_snapshot!(kakao.asked(0), @r"
    GET /v2/local/search/category.json
    ? category_group_code=CE7
    ? x=129
    ? y=35.163
    ? radius=800
    ? page=1
    ? size=15
    authorization: KakaoAK canary/KAKAO_REST_API_KEY
    ");
}

#[tokio::test]
async fn address_to_coord_kakao() {
    let body = json!({ "meta": {}, "documents": [{ "address_name": "부산 해운대구", "x": "129.163596084009", "y": "35.1630666685464" }, {}] });
    let kakao = Imitation::start(vec![Script::json(&body.to_string())]).await;
    let args = json!({ "address": "부산광역시 해운대구" });
    let result = kakao.call("AddressToCoord_kakao", args.clone()).await.expect("coordinates");
    assert_eq!(
        result,
        json!({ "address": "부산광역시 해운대구", "latitude": 35.1630666685464, "longitude": 129.163596084009, "address_name": "부산 해운대구" })
    );
    insta::assert_snapshot!(kakao.asked(0), @r"
    GET /v2/local/search/address.json
    ? query=부산광역시 해운대구
    authorization: KakaoAK canary/KAKAO_REST_API_KEY
    ");
    let (message, shown) =
        fault("AddressToCoord_kakao", args, vec![Script::json(r#"{"documents":[]}"#)]).await;
    assert_eq!((message.as_str(), shown), ("Kakao Local finds no address like '부산광역시 해운대구'", None));
}

#[tokio::test]
async fn coord_to_address_kakao() {
    let body = json!({ "documents": [{
        "road_address": { "address_name": "서울특별시 중구 세종대로 110", "region_1depth_name": "서울", "region_2depth_name": "중구",
            "region_3depth_name": "", "building_name": "서울특별시청", "zone_no": "04524" },
        "address": { "address_name": "서울 중구 태평로1가 31", "region_1depth_name": "서울", "region_3depth_name": "태평로1가" },
    }] });
    let kakao = Imitation::start(vec![Script::json(&body.to_string())]).await;
    let args = json!({ "latitude": 37.5665, "longitude": 126.978 });
    let result = kakao.call("CoordToAddress_kakao", args.clone()).await.expect("an address");
    assert_eq!(
        result,
        json!({ "latitude": 37.5665, "longitude": 126.978, "road_address": "서울특별시 중구 세종대로 110",
            "jibun_address": "서울 중구 태평로1가 31", "building_name": "서울특별시청", "region_1depth": "서울",
            "region_2depth": "중구", "region_3depth": "태평로1가", "zone_no": "04524" })
    );
    insta::assert_snapshot!(kakao.asked(0), @r"
    GET /v2/local/geo/coord2address.json
    ? x=126.978
    ? y=37.5665
    authorization: KakaoAK canary/KAKAO_REST_API_KEY
    ");
    // Without a road there is no building, and what is not there is empty.
    let lot = json!({ "documents": [{ "road_address": null, "address": { "address_name": "산 1", "region_1depth_name": "강원" } }] });
    let result = answer("CoordToAddress_kakao", args.clone(), lot).await.expect("an address");
    assert_eq!((&result["road_address"], &result["region_1depth"]), (&json!(""), &json!("강원")));
    let (message, _) = fault("CoordToAddress_kakao", args, vec![Script::json(r#"{"documents":[]}"#)]).await;
    assert_eq!(message, "Kakao Local finds no address at these coordinates");
}

#[tokio::test]
async fn kakao_refuses() {
    for (tool, args) in [
        ("PlaceSearch_kakao", json!({ "keyword": "k", "size": 16 })),
        ("CategorySearch_kakao", json!({ "category": "XX", "x": 1.0, "y": 1.0 })),
        ("AddressToCoord_kakao", json!({ "address": "a" })),
        ("CoordToAddress_kakao", json!({ "latitude": 1, "longitude": 2 })),
    ] {
        let body = r#"{"errorType":"InvalidArgument","message":"size is more than max for canary/KAKAO_REST_API_KEY"}"#;
        let (message, shown) = fault(tool, args.clone(), vec![refusal("400 Bad Request", body)]).await;
        assert_eq!(message, "Kakao Local answered HTTP 400: size is more than max for ••••");
        assert_eq!(shown, None, "the model is shown the plain error");
        let body =
            r#"{"errorType":"AccessDeniedError","message":"wrong appKey(canary/KAKAO_REST_API_KEY) format"}"#;
        let (message, _) = fault(tool, args, vec![refusal("401 Unauthorized", body)]).await;
        assert_eq!(message, "Kakao Local answered HTTP 401: wrong appKey(••••) format");
    }
}

#[tokio::test]
async fn poi_search_tmap() {
    let body = json!({ "searchPoiInfo": { "totalCount": "14922", "count": "150", "page": "1", "pois": { "poi": [{ "id": "2788728", "name": "이마트 마포점", "evChargers": {} }] } } });
    let tmap = Imitation::start(vec![Script::json(&body.to_string())]).await;
    let args = json!({ "searchKeyword": "이마트", "count": 500, "page": 1, "centerLat": 37.566, "centerLon": 126.978 });
    assert_eq!(
        tmap.call("POISearch_tmap", args).await,
        Ok(body.clone()),
        "the rest is cut for every source alike"
    );
    insta::assert_snapshot!(tmap.asked(0), @r"
    GET /tmap/pois
    ? searchKeyword=이마트
    ? count=200
    ? page=1
    ? reqCoordType=WGS84GEO
    ? resCoordType=WGS84GEO
    ? centerLon=126.978
    ? centerLat=37.566
    accept: application/json
    appkey: canary/TMAP_APP_KEY
    ");
    let tmap = Imitation::start(vec![Script::json(&body.to_string())]).await;
    let args = json!({ "searchKeyword": "이마트", "count": 10, "page": 1, "centerLat": 37.566 });
    tmap.call("POISearch_tmap", args).await.expect("places");
    assert!(!tmap.asked(0).contains("center"), "half a centre is none");
}

#[tokio::test]
async fn category_search_tmap() {
    let body = json!({ "searchPoiInfo": { "totalCount": "720", "count": "1", "page": "1", "pois": { "poi": [{
        "name": "사람인치과의원", "telNo": "029292857", "noorLat": "37.58653613", "noorLon": "127.03021019", "upperAddrName": "서울",
        "middleAddrName": "성북구", "lowerAddrName": "안암동5가", "roadName": "고려대로27길", "radius": "0.025", "parkFlag": "0",
    }] } } });
    let tmap = Imitation::start(vec![Script::json(&body.to_string())]).await;
    let args = json!({ "categories": "병원;약국", "centerLat": 37.5865, "centerLon": 127.0305, "count": 20, "radius": 2 });
    let result = tmap.call("CategorySearch_tmap", args.clone()).await.expect("places");
    assert_eq!(
        result,
        json!({ "totalCount": 720, "count": 1, "page": 1, "pois": [{
            "name": "사람인치과의원", "telNo": "029292857", "latitude": "37.58653613", "longitude": "127.03021019",
            "address": "서울 성북구 안암동5가", "roadName": "고려대로27길", "buildingNo": "-", "radius_km": "0.025", "dataKind": "",
            "stId": "", "parkFlag": "0", "merchantFlag": "",
        }] })
    );
    insta::assert_snapshot!(tmap.asked(0), @r"
    GET /tmap/pois/search/around
    ? version=1
    ? page=1
    ? count=20
    ? categories=병원;약국
    ? centerLon=127.0305
    ? centerLat=37.5865
    ? radius=2
    ? reqCoordType=WGS84GEO
    ? resCoordType=WGS84GEO
    ? multiPoint=N
    ? sort=distance
    accept: application/json
    appkey: canary/TMAP_APP_KEY
    ");
    let other = json!({ "message": "no frame" });
    assert_eq!(answer("CategorySearch_tmap", args.clone(), other.clone()).await, Ok(other));
    let empty = json!({ "searchPoiInfo": {} });
    let result = answer("CategorySearch_tmap", args, empty).await;
    assert_eq!(result, Ok(json!({ "totalCount": 0, "count": 0, "page": 1, "pois": [] })));
}

#[tokio::test]
async fn geocoding_tmap() {
    let body = json!({ "coordinateInfo": { "lat": "37.495721", "lon": "127.032617", "matchFlag": "M33" } });
    let tmap = Imitation::start(vec![Script::json(&body.to_string())]).await;
    let args = json!({ "city_do": "서울특별시", "gu_gun": "강남구", "dong": "역삼동", "bunji": "", "detailAddress": "역삼역" });
    assert_eq!(tmap.call("Geocoding_tmap", args).await, Ok(body));
    insta::assert_snapshot!(tmap.asked(0), @r"
    GET /tmap/geo/geocoding
    ? version=1.0
    ? city_do=서울특별시
    ? gu_gun=강남구
    ? dong=역삼동
    ? addressFlag=F01
    ? coordType=WGS84GEO
    ? detailAddress=역삼역
    accept: application/json
    appkey: canary/TMAP_APP_KEY
    ");
}

#[tokio::test]
async fn car_route_tmap() {
    let body = json!({ "type": "FeatureCollection", "features": [{ "type": "Feature", "geometry": {}, "properties": { "totalDistance": 7705 } }] });
    let tmap = Imitation::start(vec![Script::json(&body.to_string())]).await;
    let args =
        json!({ "startX": 127.036389, "startY": 37.0, "endX": 126, "endY": 37.534722, "searchOption": 0 });
    assert_eq!(tmap.call("CarRoute_tmap", args).await, Ok(body));
    insta::assert_snapshot!(tmap.asked(0), @r#"
    POST /tmap/routes
    accept: application/json
    appkey: canary/TMAP_APP_KEY
    content-type: application/json
    {"startX":"127.036389","startY":"37.0","endX":"126","endY":"37.534722","searchOption":"0"}
    "#);
}

#[tokio::test]
async fn walk_route_tmap() {
    let body = json!({ "type": "FeatureCollection", "features": [] });
    let tmap = Imitation::start(vec![Script::json(&body.to_string())]).await;
    let args = json!({ "startX": 127.0276, "startY": 37.4979, "endX": 127.0588, "endY": 37.5112 });
    assert_eq!(tmap.call("WalkRoute_tmap", args).await, Ok(body));
    insta::assert_snapshot!(tmap.asked(0), @r#"
    POST /tmap/routes/pedestrian
    accept: application/json
    appkey: canary/TMAP_APP_KEY
    content-type: application/json
    {"startX":"127.0276","startY":"37.4979","endX":"127.0588","endY":"37.5112","reqCoordType":"WGS84GEO","resCoordType":"WGS84GEO","startName":"출발지","endName":"도착지"}
    "#);
}

#[tokio::test]
async fn tmap_refuses_in_the_published_form() {
    let actions = |list: &[&str]| json!(list);
    for (tool, what, suggested) in [
        ("POISearch_tmap", "POI 검색", actions(&["API 키 확인", "네트워크 연결 확인"])),
        ("CarRoute_tmap", "자동차 경로", actions(&["좌표 범위 확인", "경로 검색 옵션 확인"])),
        ("WalkRoute_tmap", "보행자 경로", actions(&["좌표 범위 확인", "도보 가능 거리 확인"])),
        ("Geocoding_tmap", "주소 변환", Value::Null),
        (
            "CategorySearch_tmap",
            "카테고리 검색",
            actions(&[
                "categories 명칭 확인 (예: 카페, 병원, 주유소 등)",
                "좌표(centerLon/centerLat) 확인",
                "반경(radius) 1~33 범위 내 설정",
                "appKey 권한 확인",
            ]),
        ),
    ] {
        let quoting = r#"{"error":{"id":"400","category":"tmap","code":"1100","message":"appKey=canary%2FTMAP_APP_KEY: bad radius"}}"#;
        for (script, said) in [
            (refusal("400 Bad Request", quoting), "TMAP answered HTTP 400: appKey=••••: bad radius"),
            (refusal("403 Forbidden", ""), "TMAP answered HTTP 403: Forbidden"),
            (Script::whole("204 No Content", "", ""), "the answer of TMAP cannot be used: it is empty"),
            (Script::json("nonsense"), "the answer of TMAP cannot be used: it is not JSON"),
        ] {
            let (message, shown) = fault(tool, json!({}), vec![script]).await;
            assert_eq!(message, said, "{tool}");
            let shown = shown.expect("the published form");
            assert_eq!(shown["success"], false);
            assert_eq!(shown["error_code"], "API_REQUEST_FAILED");
            assert_eq!(shown["error_message"], format!("{what} API 호출 실패: {message}"));
            assert_eq!(shown["suggested_actions"], suggested, "{tool}");
        }
    }
}
