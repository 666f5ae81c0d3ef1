//! Books: Aladin.

use super::{Imitation, answer, fault, refusal};
use crate::providers::support::Script;
use serde_json::{Value, json};

fn search() -> Value {
    json!({ "query": "Python 알고리즘", "query_type": "Keyword", "max_results": 10, "start": 1, "sort": "Accuracy", "cover": "Mid",
        "output": "js", "out_of_stock_filter": "1" })
}

fn list() -> Value {
    json!({ "query_type": "Bestseller", "search_target": "Book", "sub_search_target": "", "start": 1, "max_results": 3,
        "cover": "Mid", "category_id": 0, "year": 0, "month": 0, "output": "js", "out_of_stock_filter": "0" })
}

fn lookup() -> Value {
    json!({ "item_id": "9788936434267", "item_id_type": "ISBN13", "cover": "MidBig", "output": "js", "opt_result": "" })
}

/// Aladin's own links may hold the key of whoever asked.
fn books(link: &str) -> Value {
    json!({ "version": "20131101", "totalResults": 9, "link": link, "item": [{ "title": "A &amp; B", "isbn13": "9791161754901", "priceSales": 31500 }] })
}

#[tokio::test]
async fn item_search_aladin() {
    let quoting = books("http://www.aladin.co.kr/a?ttbkey=canary%2FALADIN_API_KEY&x=1");
    let aladin = Imitation::start(vec![Script::json(&quoting.to_string())]).await;
    let result = aladin.call("ItemSearch_aladin", search()).await;
    assert_eq!(result, Ok(books("http://www.aladin.co.kr/a?ttbkey=••••&x=1")));
    insta::assert_snapshot!(aladin.asked(0), @r"
    GET /ttb/api/ItemSearch.aspx
    ? ttbkey=canary/ALADIN_API_KEY
    ? Query=Python 알고리즘
    ? QueryType=Keyword
    ? SearchTarget=Book
    ? start=1
    ? MaxResults=10
    ? Sort=Accuracy
    ? Cover=Mid
    ? CategoryId=0
    ? output=js
    ? outofStockFilter=1
    ? Version=20131101
    ");
    let mut args = search();
    args["opt_result"] = json!("ebookList,usedList");
    args["category_id"] = json!(170);
    args["out_of_stock_filter"] = json!("yes");
    let aladin = Imitation::start(vec![Script::json(&format!("{};", books("l")))]).await;
    assert_eq!(aladin.call("ItemSearch_aladin", args).await, Ok(books("l")));
    let asked = aladin.asked(0);
    for part in ["? OptResult=ebookList,usedList", "? CategoryId=170", "? outofStockFilter=0"] {
        assert!(asked.contains(part), "{part} in {asked}");
    }
}

#[tokio::test]
async fn item_list_aladin() {
    let aladin = Imitation::start(vec![Script::json(&books("l").to_string())]).await;
    assert_eq!(aladin.call("ItemList_aladin", list()).await, Ok(books("l")));
    insta::assert_snapshot!(aladin.asked(0), @r"
    GET /ttb/api/ItemList.aspx
    ? ttbkey=canary/ALADIN_API_KEY
    ? QueryType=Bestseller
    ? SearchTarget=Book
    ? start=1
    ? MaxResults=3
    ? Cover=Mid
    ? CategoryId=0
    ? output=js
    ? outofStockFilter=0
    ? Version=20131101
    ");
    let mut args = list();
    args["sub_search_target"] = json!("Book");
    args["year"] = json!(2025);
    args["month"] = json!(10);
    args["week"] = json!(2);
    let aladin = Imitation::start(vec![Script::json(&books("l").to_string())]).await;
    aladin.call("ItemList_aladin", args).await.expect("books");
    let asked = aladin.asked(0);
    assert!(asked.ends_with("? SubSearchTarget=Book\n? Year=2025\n? Month=10\n? Week=2"), "{asked}");
}

#[tokio::test]
async fn item_lookup_aladin() {
    let aladin = Imitation::start(vec![Script::json(&books("l").to_string())]).await;
    assert_eq!(aladin.call("ItemLookup_aladin", lookup()).await, Ok(books("l")));
    insta::assert_snapshot!(aladin.asked(0), @r"
    GET /ttb/api/ItemLookUp.aspx
    ? ttbkey=canary/ALADIN_API_KEY
    ? ItemId=9788936434267
    ? ItemIdType=ISBN13
    ? Cover=MidBig
    ? output=js
    ? Version=20131101
    ");
    let mut args = lookup();
    args["opt_result"] = json!("Toc");
    let aladin = Imitation::start(vec![Script::json(&books("l").to_string())]).await;
    aladin.call("ItemLookup_aladin", args).await.expect("a book");
    assert!(aladin.asked(0).ends_with("? OptResult=Toc"));
}

#[tokio::test]
async fn aladin_reports_errors_with_status_200() {
    for (tool, mut args) in
        [("ItemSearch_aladin", search()), ("ItemList_aladin", list()), ("ItemLookup_aladin", lookup())]
    {
        let body = json!({ "errorCode": 24, "errorMessage": "날짜형식이 유효하지 않습니다." });
        let refused = answer(tool, args.clone(), body.clone()).await.expect_err("an error");
        assert_eq!(refused.message, "Aladin reports an error: 날짜형식이 유효하지 않습니다.");
        assert_eq!(refused.shown, Some(body), "the model is shown the service's own words");
        let (message, shown) =
            fault(tool, args.clone(), vec![refusal("500 Oops", "ttbkey=canary/ALADIN_API_KEY")]).await;
        assert_eq!((message.as_str(), shown), ("Aladin answered HTTP 500: ttbkey=••••", None));

        args["output"] = json!("xml");
        let xml = "<?xml version=\"1.0\"?><object><item>A</item></object>";
        let aladin = Imitation::start(vec![Script::whole("200 OK", "content-type: text/xml\r\n", xml)]).await;
        assert_eq!(aladin.call(tool, args.clone()).await, Ok(Value::from(xml)));
        let xml = "<error><errorCode>8</errorCode><errorMessage>없음</errorMessage></error>";
        let scripts = vec![Script::whole("200 OK", "content-type: text/xml\r\n", xml)];
        assert_eq!(fault(tool, args, scripts).await.1, Some(Value::from(xml)));
    }
}
