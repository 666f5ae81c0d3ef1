//! Coins: Bithumb and Upbit.

use super::{Imitation, answer, fault, refusal};
use crate::providers::support::Script;
use serde_json::{Value, json};

#[tokio::test]
async fn bithumb_hands_answers_on() {
    let body = json!([{ "market": "KRW-BTC", "trade_price": 169687000, "change_rate": 0.0087 }]);
    for (tool, args, asked) in [
        (
            "CryptoPrice_bithumb",
            json!({ "markets": "KRW-BTC,KRW-ETH" }),
            "GET /v1/ticker\n? markets=KRW-BTC,KRW-ETH\naccept: application/json",
        ),
        (
            "OrderBook_bithumb",
            json!({ "markets": "KRW-ETH" }),
            "GET /v1/orderbook\n? markets=KRW-ETH\naccept: application/json",
        ),
        (
            "MarketList_bithumb",
            json!({ "isDetails": true }),
            "GET /v1/market/all\n? isDetails=true\naccept: application/json",
        ),
        (
            "MarketList_bithumb",
            json!({ "isDetails": false }),
            "GET /v1/market/all\n? isDetails=false\naccept: application/json",
        ),
        (
            "CryptoCandle_bithumb",
            json!({ "time": "minutes", "market": "KRW-ETH", "count": 30, "unit": "15", "to": "2025-12-19 10:00:00" }),
            "GET /v1/candles/minutes/15\n? market=KRW-ETH\n? count=30\n? to=2025-12-19 10:00:00\naccept: application/json",
        ),
        (
            "CryptoCandle_bithumb",
            json!({ "time": "weeks", "market": "KRW-ETH", "count": 1, "unit": "1", "to": "" }),
            "GET /v1/candles/weeks\n? market=KRW-ETH\n? count=1\naccept: application/json",
        ),
    ] {
        let bithumb = Imitation::start(vec![Script::json(&body.to_string())]).await;
        assert_eq!(bithumb.call(tool, args).await, Ok(body.clone()), "{tool}");
        assert_eq!(bithumb.asked(0), asked);
    }
}

#[tokio::test]
async fn bithumb_reports_errors_with_any_status() {
    let calls = [
        ("CryptoPrice_bithumb", json!({ "markets": "KRW-LTC" })),
        ("OrderBook_bithumb", json!({ "markets": "KRW-LTC" })),
        ("MarketList_bithumb", json!({ "isDetails": false })),
        ("CryptoCandle_bithumb", json!({ "time": "days", "market": "KRW-LTC", "count": 1, "unit": "1" })),
    ];
    for (tool, args) in calls {
        let body = json!({ "error": { "name": 404, "message": "Code not found" } });
        for script in [Script::json(&body.to_string()), refusal("404 Not Found", &body.to_string())] {
            let (message, shown) = fault(tool, args.clone(), vec![script]).await;
            assert_eq!(message, "Bithumb reports an error: Code not found");
            assert_eq!(shown, Some(body.clone()), "the model is shown the service's own words");
        }
        let page = Script::whole("502 Bad Gateway", "content-type: text/html\r\n", "<html>");
        assert_eq!(fault(tool, args, vec![page]).await.0, "Bithumb answered HTTP 502: a web page");
    }
}

#[tokio::test]
async fn candles_that_bithumb_cannot_have_are_not_asked_for() {
    let good = json!({ "time": "minutes", "market": "KRW-BTC", "count": 1, "unit": "1" });
    for (field, value, said) in [
        ("time", json!("years"), "time must be minutes, days, weeks or months, not 'years'"),
        ("unit", json!("7"), "unit must be one of 1, 3, 5, 10, 15, 30, 60, 240, not '7'"),
        ("unit", json!("../.."), "unit must be one of 1, 3, 5, 10, 15, 30, 60, 240, not '../..'"),
        ("count", json!(201), "count must be from 1 to 200, not 201"),
        ("market", json!(""), "market must not be empty"),
    ] {
        let bithumb = Imitation::start(vec![Script::json("[]")]).await;
        let mut args = good.clone();
        args[field] = value;
        let refused = bithumb.call("CryptoCandle_bithumb", args).await.expect_err("refused");
        assert_eq!(refused.message, said);
        assert_eq!(refused.shown, Some(json!({ "error": said })));
        assert_eq!(bithumb.requests(), 0);
    }
}

#[tokio::test]
async fn crypto_price_upbit() {
    let ticker = |rate: Value| {
        let mut ticker = json!({ "market": "KRW-XRP", "trade_price": 2750.0, "change": "FALL", "change_rate": 0.0207,
            "acc_trade_volume_24h": 202202754.06071848, "high_price": 2773.0, "low_price": 2632.0 });
        if !rate.is_null() {
            ticker["signed_change_rate"] = rate;
        }
        json!([ticker])
    };
    let upbit = Imitation::start(vec![Script::json(&ticker(json!(-0.0207)).to_string())]).await;
    let args = json!({ "symbol": "XRP", "quote": "KRW" });
    let result = upbit.call("CryptoPrice_upbit", args.clone()).await.expect("a price");
    assert_eq!(
        result,
        json!({ "symbol": "XRP", "quote": "KRW", "market": "KRW-XRP", "current_price": 2750.0, "change_rate": -0.0207 * 100.0,
            "volume": 202202754.06071848, "high_price": 2773.0, "low_price": 2632.0 })
    );
    assert_eq!(upbit.asked(0), "GET /v1/ticker\n? markets=KRW-XRP");
    let result = answer("CryptoPrice_upbit", args.clone(), ticker(Value::Null)).await.expect("a price");
    assert_eq!(result["change_rate"], json!(-0.0207 * 100.0), "the sign comes from the word otherwise");
    let empty = fault("CryptoPrice_upbit", args, vec![Script::json("[]")]).await;
    assert_eq!(empty, ("the answer of Upbit cannot be used: it has no ticker".to_owned(), None));
}

#[tokio::test]
async fn market_list_upbit() {
    let market = |name: &str| json!({ "market": name, "korean_name": "페페", "english_name": "Pepe", "market_event": {} });
    let body = json!([market("KRW-PEPE"), market("USDT-PEPE"), market("KRWX-PEPE")]).to_string();
    let upbit = Imitation::start(vec![Script::json(&body), Script::json(&body)]).await;
    let row = |name: &str| json!({ "market": name, "korean_name": "페페", "english_name": "Pepe" });
    let result = upbit.call("MarketList_upbit", json!({ "quote": "KRW", "include_event": true })).await;
    assert_eq!(result, Ok(json!({ "quote": "KRW", "markets": [row("KRW-PEPE")], "count": 1 })));
    let result = upbit.call("MarketList_upbit", json!({ "quote": "ALL", "include_event": false })).await;
    assert_eq!(result.expect("markets")["count"], 3);
    assert_eq!(upbit.asked(0), "GET /v1/market/all\n? isDetails=true");
    assert_eq!(upbit.asked(1), upbit.asked(0), "an inert argument changes nothing");
}

#[tokio::test]
async fn crypto_candle_upbit() {
    let body = json!([{ "market": "KRW-BTC", "candle_date_time_utc": "2025-12-19T00:00:00", "candle_date_time_kst": "2025-12-19T09:00:00",
        "opening_price": 127233000.0, "high_price": 127400000.0, "low_price": 126551000.0, "trade_price": 127000000.0,
        "candle_acc_trade_volume": 267.0051234 }]);
    let upbit = Imitation::start(vec![Script::json(&body.to_string()), Script::json("[]")]).await;
    let args = json!({ "symbol": "BTC", "quote": "KRW", "candle_type": "days", "count": 30, "to": "2025-12-20T00:00:00" });
    let result = upbit.call("CryptoCandle_upbit", args).await.expect("candles");
    assert_eq!(
        result,
        json!({ "symbol": "BTC", "market": "KRW-BTC", "candle_type": "days", "data": [{ "timestamp": "2025-12-19T09:00:00",
            "open": 127233000.0, "high": 127400000.0, "low": 126551000.0, "close": 127000000.0, "volume": 267.0051234 }] })
    );
    assert_eq!(
        upbit.asked(0),
        "GET /v1/candles/days\n? market=KRW-BTC\n? count=30\n? to=2025-12-20T00:00:00"
    );
    let args = json!({ "symbol": "BTC", "quote": "KRW", "candle_type": "minutes", "count": 500 });
    upbit.call("CryptoCandle_upbit", args).await.expect("no candles");
    assert_eq!(upbit.asked(1), "GET /v1/candles/minutes/1\n? market=KRW-BTC\n? count=200");
}

#[tokio::test]
async fn upbit_refuses() {
    for (tool, args) in [
        ("CryptoPrice_upbit", json!({ "symbol": "NONE", "quote": "KRW" })),
        ("MarketList_upbit", json!({ "quote": "KRW" })),
        ("CryptoCandle_upbit", json!({ "symbol": "NONE", "quote": "KRW", "candle_type": "days" })),
    ] {
        let body = r#"{"error":{"name":404,"message":"Code not found"}}"#;
        let said = fault(tool, args, vec![refusal("404 Not Found", body)]).await;
        assert_eq!(said, ("Upbit answered HTTP 404: Code not found".to_owned(), None));
    }
    let upbit = Imitation::start(vec![Script::json("[]")]).await;
    let args = json!({ "symbol": "BTC", "quote": "KRW", "candle_type": "minutes", "unit": "2" });
    let refused = upbit.call("CryptoCandle_upbit", args).await.expect_err("no such unit");
    let said = "unit must be one of 1, 3, 5, 10, 15, 30, 60, 240, not '2'";
    assert_eq!(refused.shown, Some(json!({ "error": said })));
    let args = json!({ "symbol": "BTC", "quote": "KRW", "candle_type": "../market/all" });
    let refused = upbit.call("CryptoCandle_upbit", args).await.expect_err("no such candles");
    assert_eq!(refused.message, "candle_type must be minutes, days, weeks or months, not '../market/all'");
    assert_eq!(upbit.requests(), 0);
}
