//! Stocks: LS Securities and Korea Investment & Securities, with their logins.

use super::{Imitation, fault, refusal};
use crate::providers::support::Script;
use koab_providers::services::LoginTokens;
use serde_json::{Value, json};

/// A login that holds long enough, and one that must be renewed before the next call.
fn login(token: &str, seconds: u64) -> Script {
    Script::json(&json!({ "access_token": token, "expires_in": seconds, "token_type": "Bearer" }).to_string())
}

fn ls_calls() -> [(&'static str, Value, &'static str, &'static str); 5] {
    [
        (
            "StockPrice_ls",
            json!({ "shcode": "035720", "exchgubun": "N" }),
            "t1102",
            "POST /stock/market-data\n{\"t1102InBlock\":{\"shcode\":\"035720\"}}",
        ),
        (
            "MarketIndex_ls",
            json!({ "jisu": "KOSDAQ" }),
            "t1511",
            "POST /indtp/market-data\n{\"t1511InBlock\":{\"upcode\":\"301\"}}",
        ),
        (
            "SectorStock_ls",
            json!({ "tmcode": "0012" }),
            "t1537",
            "POST /stock/sector\n{\"t1537InBlock\":{\"tmcode\":\"0012\"}}",
        ),
        (
            "OrderBook_ls",
            json!({ "shcode": "005490" }),
            "t1101",
            "POST /stock/market-data\n{\"t1101InBlock\":{\"shcode\":\"005490\"}}",
        ),
        (
            "StockTrades_ls",
            json!({ "shcode": "035720", "exchgubun": "K" }),
            "t8454",
            "POST /stock/market-data\n{\"t8454InBlock\":{\"shcode\":\"035720\",\"starttime\":\"\",\"endtime\":\"\",\"bun_term\":\"\",\"exchgubun\":\"K\"}}",
        ),
    ]
}

#[tokio::test]
async fn ls_logs_in_once_and_hands_answers_on() {
    for (tool, args, code, asked) in ls_calls() {
        let body = json!({ format!("{code}OutBlock"): { "hname": "카카오", "price": 58200, "diff": "1.93" }, "rsp_cd": "00000", "rsp_msg": "정상" });
        let answer = Script::json(&body.to_string());
        let ls = Imitation::start(vec![login("canary/token", 86_400), answer.clone(), answer]).await;
        assert_eq!(ls.call(tool, args.clone()).await, Ok(body.clone()), "{tool}");
        assert_eq!(ls.call(tool, args).await, Ok(body));
        assert_eq!(ls.requests(), 3, "the second call uses the first's login");
        insta::allow_duplicates! {
            insta::assert_snapshot!(ls.asked(0), @r"
            POST /oauth2/token
            content-type: application/x-www-form-urlencoded
            grant_type=client_credentials&appkey=canary%2FLS_APP_KEY&appsecretkey=canary%2FLS_APP_SECRET&scope=oob
            ");
        }
        let (line, body) = asked.split_once('\n').expect("two lines");
        let headers = "authorization: Bearer canary/token\ncontent-type: application/json; charset=utf-8\n";
        let expected = format!("{line}\n{headers}tr_cd: {code}\ntr_cont: N\ntr_cont_key:\n{body}");
        assert_eq!(ls.asked(1), expected);
        assert_eq!(ls.asked(2), expected);
    }
}

#[tokio::test]
async fn indices_of_ls_have_the_published_codes() {
    for (name, code) in [
        ("KOSPI", "001"),
        ("KOSPI200", "101"),
        ("코스피200", "101"),
        ("KRX100", "501"),
        ("코스닥", "301"),
        ("NIKKEI", "001"),
    ] {
        let ls = Imitation::start(vec![login("t", 86_400), Script::json(r#"{"t1511OutBlock":{}}"#)]).await;
        ls.call("MarketIndex_ls", json!({ "jisu": name })).await.expect("an index");
        assert!(ls.asked(1).contains(&format!("\"upcode\":\"{code}\"")), "{name}");
    }
}

#[tokio::test]
async fn ls_renews_a_login_that_ends_soon_or_is_refused() {
    let answer = || Script::json(r#"{"t1101OutBlock":{"price":1},"rsp_cd":"00000"}"#);
    let call = || json!({ "shcode": "005490" });
    // Ends within the five minutes in which it is renewed.
    let ls = Imitation::start(vec![login("one", 200), answer(), login("two", 86_400), answer()]).await;
    ls.call("OrderBook_ls", call()).await.expect("an order book");
    ls.call("OrderBook_ls", call()).await.expect("an order book");
    assert!(ls.asked(1).contains("Bearer one") && ls.asked(3).contains("Bearer two"));
    for ended in [
        refusal("401 Unauthorized", r#"{"rsp_cd":"x","rsp_msg":"no token"}"#),
        Script::json(r#"{"rsp_cd":"IGW00121","rsp_msg":"유효하지 않은 token 입니다."}"#),
        refusal(
            "500 Internal Server Error",
            r#"{"rsp_cd":"IGW00123","rsp_msg":"기간이 만료된 token 입니다."}"#,
        ),
    ] {
        let scripts = vec![login("one-1", 86_400), ended.clone(), login("two-2", 86_400), answer()];
        let ls = Imitation::start(scripts).await;
        ls.call("OrderBook_ls", call()).await.expect("an order book");
        assert!(ls.asked(3).contains("Bearer two-2"));
        // One renewal only: a service that refuses every login is not asked for ever.
        let ls = Imitation::start(vec![login("one-1", 86_400), ended.clone(), login("two-2", 86_400), ended])
            .await;
        ls.call("OrderBook_ls", call()).await.expect_err("refused twice");
        assert_eq!(ls.requests(), 4);
    }
}

#[tokio::test]
async fn runs_after_each_other_share_a_login() {
    let tokens = LoginTokens::default();
    let first =
        Imitation::with(vec![login("one-1", 86_400), Script::json(r#"{"t1101OutBlock":{}}"#)], &tokens).await;
    first.call("OrderBook_ls", json!({ "shcode": "1" })).await.expect("an order book");
    // The same service at another address is another service.
    let other =
        Imitation::with(vec![login("two-2", 86_400), Script::json(r#"{"t1101OutBlock":{}}"#)], &tokens).await;
    other.call("OrderBook_ls", json!({ "shcode": "1" })).await.expect("an order book");
    assert!(other.asked(1).contains("Bearer two-2"));
    let again = super::open(first.page("").trim_end_matches('/'), &tokens);
    let args = koab_core::args::NormalizedArgs::from_record(
        json!({ "shcode": "1" }).as_object().expect("arguments"),
    );
    let answer =
        koab_engine::ports::ToolServices::call(&again, "OrderBook_ls", &args).await.expect("a service");
    answer.expect("an order book");
    assert_eq!(first.requests(), 3, "no second login");
    assert!(!format!("{tokens:?}").contains("one-1"));
}

#[tokio::test]
async fn ls_fails_as_documented() {
    for (tool, args, code, _) in ls_calls() {
        let refused = refusal(
            "403 Forbidden",
            r#"{"error_code":"IGW00103","error_description":"유효하지 않은 AppKey: canary/LS_APP_KEY"}"#,
        );
        let (message, shown) = fault(tool, args.clone(), vec![refused]).await;
        assert_eq!(message, "LS Securities answered HTTP 403: 유효하지 않은 AppKey: ••••");
        assert_eq!(shown, Some(json!({ "error": message })));

        let empty = vec![Script::json(r#"{"error":"no"}"#)];
        assert_eq!(fault(tool, args.clone(), empty).await.0, "LS Securities reports an error: no");

        // A code without a result block is an error, and the model is shown the service's words.
        let body = json!({ "rsp_cd": "IGW40011", "rsp_msg": "허용되지 않는 입력값: canary/token-1" });
        let scripts = vec![login("canary/token-1", 86_400), Script::json(&body.to_string())];
        let (message, shown) = fault(tool, args.clone(), scripts).await;
        assert_eq!(message, "LS Securities reports an error: 허용되지 않는 입력값: ••••");
        assert_eq!(shown.expect("shown")["rsp_cd"], "IGW40011");

        let body = json!({ "rsp_cd": "IGW00201", "rsp_msg": "호출 거래건수를 초과하였습니다." });
        let scripts = vec![login("t", 86_400), refusal("500 Internal Server Error", &body.to_string())];
        let (message, shown) = fault(tool, args.clone(), scripts).await;
        assert_eq!(message, "LS Securities answered HTTP 500: 호출 거래건수를 초과하였습니다.");
        assert_eq!(shown, Some(body));

        let page = Script::whole("200 OK", "content-type: text/html\r\n", "<html>점검 중</html>");
        let (message, _) = fault(tool, args.clone(), vec![login("t", 86_400), page]).await;
        assert_eq!(message, "the answer of LS Securities cannot be used: it is not JSON");

        // Nothing found is an answer.
        let body =
            json!({ format!("{code}OutBlock"): {}, "rsp_cd": "00000", "rsp_msg": "해당자료가 없습니다." });
        let ls = Imitation::start(vec![login("t", 86_400), Script::json(&body.to_string())]).await;
        assert_eq!(ls.call(tool, args).await, Ok(body));
    }
}

const KIS_LOGIN: &str = "POST /oauth2/tokenP\ncontent-type: application/json\n\
    {\"grant_type\":\"client_credentials\",\"appkey\":\"canary/KIS_APP_KEY\",\"appsecret\":\"canary/KIS_APP_SECRET\"}";

fn kis_headers(transaction: &str) -> String {
    format!(
        "appkey: canary/KIS_APP_KEY\nappsecret: canary/KIS_APP_SECRET\nauthorization: Bearer canary/token\n\
         content-type: application/json\ntr_id: {transaction}"
    )
}

async fn kis(output: Value) -> Imitation {
    let body =
        json!({ "rt_cd": "0", "msg_cd": "MCA00000", "msg1": "정상처리 되었습니다.", "output": output });
    Imitation::start(vec![login("canary/token", 86_400), Script::json(&body.to_string())]).await
}

#[tokio::test]
async fn stock_price_kis() {
    let kis = kis(json!({ "stck_prpr": "60500", "prdy_ctrt": "-2.89", "acml_vol": "1504055" })).await;
    let result = kis.call("StockPrice_kis", json!({ "symbol": "035720", "market": "KOSPI" })).await;
    assert_eq!(
        result,
        Ok(
            json!({ "symbol": "035720", "market": "KOSPI", "name": null, "current_price": 60500, "change_rate": -2.89, "volume": 1504055 })
        )
    );
    assert_eq!(kis.asked(0), KIS_LOGIN);
    let asked = "GET /uapi/domestic-stock/v1/quotations/inquire-price\n? FID_COND_MRKT_DIV_CODE=J\n? FID_INPUT_ISCD=035720";
    assert_eq!(kis.asked(1), format!("{asked}\n{}", kis_headers("FHKST01010100")));
}

#[tokio::test]
async fn us_stock_price_kis() {
    for (exchange, code) in [("NASDAQ", "NAS"), ("NYSE", "NYS"), ("AMEX", "NYS")] {
        let kis = kis(json!({ "last": "483.3700", "rate": " +3.45", "tvol": "95168446" })).await;
        let result = kis.call("USStockPrice_kis", json!({ "symbol": "TSLA", "exchange": exchange })).await;
        assert_eq!(
            result,
            Ok(
                json!({ "symbol": "TSLA", "exchange": exchange, "current_price": 483.37, "change_rate": 3.45, "volume": 95168446 })
            )
        );
        let asked =
            format!("GET /uapi/overseas-price/v1/quotations/price\n? AUTH=\n? EXCD={code}\n? SYMB=TSLA");
        assert_eq!(kis.asked(1), format!("{asked}\n{}", kis_headers("HHDFS00000300")));
    }
    let blank = kis(json!({ "last": "", "rate": "", "tvol": "" })).await;
    let refused = blank.call("USStockPrice_kis", json!({ "symbol": "NONE", "exchange": "NASDAQ" })).await;
    let said = "the answer of Korea Investment & Securities cannot be used: it has no number for last; is the symbol right?";
    assert_eq!(refused.expect_err("blank").message, said);
}

#[tokio::test]
async fn stock_chart_kis() {
    let row = |date: &str| {
        json!({ "stck_bsop_date": date, "stck_oprc": "232500", "stck_hgpr": "235500", "stck_lwpr": "231500", "stck_clpr": "235500",
            "acml_vol": "1342875", "prdy_vrss": "0" })
    };
    let rows = || json!([row("20251219"), row("20251218"), row("20251217")]);
    let candle = |date: &str| json!({ "date": date, "open": 232500, "high": 235500, "low": 231500, "close": 235500, "volume": 1342875 });
    let chart = kis(rows()).await;
    let result = chart.call("StockChart_kis", json!({ "symbol": "035420", "period": "W", "count": 2 })).await;
    assert_eq!(
        result,
        Ok(json!({ "symbol": "035420", "period": "W", "data": [candle("20251219"), candle("20251218")] }))
    );
    let asked = "GET /uapi/domestic-stock/v1/quotations/inquire-daily-price\n? FID_COND_MRKT_DIV_CODE=J\n? FID_INPUT_ISCD=035420\n? FID_PERIOD_DIV_CODE=W\n? FID_ORG_ADJ_PRC=0";
    assert_eq!(chart.asked(1), format!("{asked}\n{}", kis_headers("FHKST01010400")));
    for (count, kept) in [(30, 3), (0, 0), (-1, 2), (-9, 0)] {
        let chart = kis(rows()).await;
        let result =
            chart.call("StockChart_kis", json!({ "symbol": "035420", "period": "?", "count": count })).await;
        assert_eq!(result.expect("a chart")["data"].as_array().map(Vec::len), Some(kept), "{count}");
        assert!(chart.asked(1).contains("FID_PERIOD_DIV_CODE=D"), "any other period is days");
    }
}

#[tokio::test]
async fn kis_renews_its_login_and_fails_as_documented() {
    for (tool, args) in [
        ("StockPrice_kis", json!({ "symbol": "1", "market": "KOSPI" })),
        ("USStockPrice_kis", json!({ "symbol": "A", "exchange": "NYSE" })),
        ("StockChart_kis", json!({ "symbol": "1", "period": "D", "count": 1 })),
    ] {
        let ended = r#"{"rt_cd":"1","msg_cd":"EGW00123","msg1":"기간이 만료된 token 입니다."}"#;
        let unknown = r#"{"rt_cd":"1","msg_cd":"MCA05918","msg1":"종목코드 오류입니다."}"#;
        let scripts = vec![
            login("one-1", 86_400),
            refusal("500 Internal Server Error", ended),
            login("two-2", 86_400),
            Script::json(unknown),
        ];
        let kis = Imitation::start(scripts).await;
        let refused = kis.call(tool, args.clone()).await.expect_err("a business error");
        assert!(kis.asked(3).contains("Bearer two-2"), "{tool}");
        assert_eq!(refused.message, "Korea Investment & Securities reports an error: 종목코드 오류입니다.");
        assert_eq!(refused.shown, None);

        let often = r#"{"error_code":"EGW00133","error_description":"접근토큰 발급 잠시 후 다시 시도하세요(1분당 1회) canary/KIS_APP_SECRET"}"#;
        let (message, _) = fault(tool, args.clone(), vec![refusal("403 Forbidden", often)]).await;
        let said = "Korea Investment & Securities answered HTTP 403: 접근토큰 발급 잠시 후 다시 시도하세요(1분당 1회) ••••";
        assert_eq!(message, said);

        let scripts = vec![login("t", 86_400), refusal("403 Forbidden", "")];
        let (message, _) = fault(tool, args, scripts).await;
        assert_eq!(message, "Korea Investment & Securities answered HTTP 403: Forbidden");
    }
}
