//! Search: NAVER and Daum, and the pages behind their results.

use super::{CANARY, Imitation, fault, refusal};
use crate::providers::support::{Script, network};
use koab_core::args::NormalizedArgs;
use koab_core::sensitive::Sensitive;
use koab_engine::ports::ToolServices as _;
use koab_providers::services::{LoginTokens, Services};
use serde_json::{Value, json};

fn page(body: &str) -> Script {
    Script::whole("200 OK", "content-type: text/html; charset=utf-8\r\n", body)
}

fn head(kind: &str) -> Script {
    Script::whole("200 OK", &format!("content-type: {kind}\r\n"), "")
}

/// A result without a page that can be read: its ending says that it is a file.
fn naver(link: &str) -> Value {
    json!({ "lastBuildDate": "Mon, 27 Oct 2025 14:27:07 +0900", "total": 109, "start": 1, "display": 1,
        "items": [{ "title": "<b>제니</b> &amp; 로제", "link": link, "description": "<b>조각</b>" }] })
}

#[tokio::test]
async fn naver_is_asked_and_its_answer_handed_on() {
    for (tool, args, asked) in [
        (
            "WebSearch_naver",
            json!({ "query": "제니 근황", "display": 20, "start": 1 }),
            "GET /v1/search/webkr.json\n? query=제니 근황\n? display=20\n? start=1",
        ),
        (
            "BlogSearch_naver",
            json!({ "query": "독학 책", "display": 5, "start": 1, "sort": "sim" }),
            "GET /v1/search/blog.json\n? query=독학 책\n? display=5\n? start=1\n? sort=sim",
        ),
        (
            "NewsSearch_naver",
            json!({ "query": "지원금", "display": 10, "start": 11, "sort": "date" }),
            "GET /v1/search/news.json\n? query=지원금\n? display=10\n? start=11\n? sort=date",
        ),
    ] {
        let body = naver("https://example.com/a.PDF?x=1");
        let search = Imitation::start(vec![Script::json(&body.to_string())]).await;
        assert_eq!(search.call(tool, args).await, Ok(body), "files are not read and marks stay");
        let headers =
            "x-naver-client-id: canary/NAVER_CLIENT_ID\nx-naver-client-secret: canary/NAVER_CLIENT_SECRET";
        assert_eq!(search.asked(0), format!("{asked}\n{headers}"));
        assert_eq!(search.requests(), 1);
    }
}

#[tokio::test]
async fn naver_api_hub_is_spoken_to_in_its_own_way() {
    for (tool, kind) in
        [("WebSearch_naver", "webkr"), ("BlogSearch_naver", "blog"), ("NewsSearch_naver", "news")]
    {
        let hub = Imitation::start(vec![Script::json(r#"{"items":[]}"#)]).await;
        let services = Services::open(
            &network(),
            |name| Some(Sensitive::new(format!("{CANARY}{name}"))),
            |variable| (variable == "KOAB_NAVER_SEARCH_URL").then(|| hub.page("search/v1")),
            &LoginTokens::default(),
        );
        let args = NormalizedArgs::from_record(json!({ "query": "q" }).as_object().expect("arguments"));
        let answer = services.expect("services").call(tool, &args).await.expect("a service");
        assert_eq!(answer, Ok(json!({ "items": [] })));
        let headers =
            "x-ncp-apigw-api-key-id: canary/NAVER_CLIENT_ID\nx-ncp-apigw-api-key: canary/NAVER_CLIENT_SECRET";
        assert_eq!(hub.asked(0), format!("GET /search/v1/{kind}\n? format=json\n? query=q\n{headers}"));
    }
}

#[tokio::test]
async fn the_text_of_a_page_takes_the_place_of_the_snippet() {
    for (tool, answer, field, args) in [
        ("WebSearch_naver", "items", "description", json!({ "query": "q" })),
        ("BlogSearch_naver", "items", "description", json!({ "query": "q" })),
        ("NewsSearch_naver", "items", "description", json!({ "query": "q" })),
        ("WebSearch_daum", "documents", "contents", json!({ "query": "q" })),
    ] {
        // The search's answer names the imitation's own address, which is known once it runs: so it is asked twice.
        let html = "<body><nav>a b c d e</nav><p>여기 본문이 네 낱말보다 깁니다.</p></body>";
        let link = if answer == "items" { "link" } else { "url" };
        let search = Imitation::start(vec![head("text/html"), page(html)]).await;
        let found = json!({ answer: [{ link: search.page("post"), field: "<b>조각</b>" }] });
        let front = Imitation::start(vec![Script::json(&found.to_string())]).await;
        let result = front.call(tool, args).await.expect("results");
        assert_eq!(result[answer][0][field], "여기 본문이 네 낱말보다 깁니다.", "{tool}");
        let asked: Vec<String> = (0..2).map(|at| search.asked(at)).collect();
        assert_eq!(asked, ["HEAD /post", "GET /post"]);
    }
}

#[tokio::test]
async fn a_page_that_cannot_be_read_leaves_the_snippet() {
    for scripts in [
        vec![head("application/json")],
        vec![Script::whole("404 Not Found", "content-type: text/html\r\n", "")],
        vec![
            head("text/html"),
            Script::whole("500 Oops", "content-type: text/html\r\n", "<body>a b c d e</body>"),
        ],
        vec![head("text/html"), page("<body><script>a b c d</script></body>")],
        vec![Script::default()],
    ] {
        let pages = Imitation::start(scripts).await;
        let found = naver(&pages.page("post"));
        let front = Imitation::start(vec![Script::json(&found.to_string())]).await;
        let result = front.call("WebSearch_naver", json!({ "query": "q" })).await;
        assert_eq!(result, Ok(found));
    }
}

#[tokio::test]
async fn a_blog_of_naver_is_read_in_its_frame() {
    let frame = r#"<body><iframe id="mainFrame" src="/PostView.naver?blogId=a&amp;logNo=1"></iframe></body>"#;
    let post = "<body><div>블로그 글의 본문이 여기에 있습니다.</div></body>";
    let blog = Imitation::start(vec![head("text/html"), page(frame), page(post)]).await;
    let found = naver(&blog.page("blog.naver.com/a/1"));
    let front = Imitation::start(vec![Script::json(&found.to_string())]).await;
    let result = front.call("BlogSearch_naver", json!({ "query": "q" })).await.expect("results");
    assert_eq!(result["items"][0]["description"], "블로그 글의 본문이 여기에 있습니다.");
    assert_eq!(blog.asked(2), "GET /PostView.naver\n? blogId=a\n? logNo=1");
}

#[tokio::test]
async fn web_and_video_search_daum() {
    let body = json!({ "documents": [{ "title": "<b>t</b>", "contents": "c", "url": "https://x/a.zip", "datetime": "2025-10-21T14:33:31.000+09:00" }],
        "meta": { "is_end": false, "pageable_count": 999, "total_count": 20298 } });
    for (tool, path) in [("WebSearch_daum", "web"), ("VideoSearch_daum", "vclip")] {
        let daum = Imitation::start(vec![Script::json(&body.to_string())]).await;
        let args = json!({ "query": "손흥민 골", "sort": "recency", "page": 2, "size": 10 });
        assert_eq!(daum.call(tool, args).await, Ok(body.clone()));
        assert_eq!(
            daum.asked(0),
            format!(
                "GET /v2/search/{path}\n? query=손흥민 골\n? sort=recency\n? page=2\n? size=10\nauthorization: KakaoAK canary/DAUM_API_KEY"
            )
        );
    }
    // Videos are not read, whatever stands in their place.
    let pages = Imitation::start(vec![head("text/html"), page("<body>a b c d e f</body>")]).await;
    let video = json!({ "documents": [{ "url": pages.page("v"), "contents": "c" }] });
    let daum = Imitation::start(vec![Script::json(&video.to_string())]).await;
    assert_eq!(daum.call("VideoSearch_daum", json!({ "query": "q" })).await, Ok(video));
    assert_eq!(pages.requests(), 0);
}

#[tokio::test]
async fn searches_fail_as_documented() {
    let naver =
        r#"{"errorMessage":"NID AUTH Result Invalid (1000) : canary/NAVER_CLIENT_SECRET","errorCode":"024"}"#;
    let daum =
        r#"{"errorType":"MissingParameter","message":"query parameter required, canary/DAUM_API_KEY"}"#;
    for (tool, title, body, said) in [
        ("WebSearch_naver", "NAVER Search", naver, "NID AUTH Result Invalid (1000) : ••••"),
        ("BlogSearch_naver", "NAVER Search", naver, "NID AUTH Result Invalid (1000) : ••••"),
        ("NewsSearch_naver", "NAVER Search", naver, "NID AUTH Result Invalid (1000) : ••••"),
        ("WebSearch_daum", "Daum Search", daum, "query parameter required, ••••"),
        ("VideoSearch_daum", "Daum Search", daum, "query parameter required, ••••"),
    ] {
        for (status, code) in [("401 Unauthorized", 401), ("400 Bad Request", 400), ("429 Too Many", 429)] {
            let told = fault(tool, json!({ "query": "q" }), vec![refusal(status, body)]).await;
            assert_eq!(told, (format!("{title} answered HTTP {code}: {said}"), None));
        }
        let redirect = Script::whole("302 Found", "location: http://127.0.0.1:9/login\r\n", "");
        let told = fault(tool, json!({ "query": "q" }), vec![redirect]).await;
        assert_eq!(told.0, format!("{title} answered HTTP 302: Found"), "a key is not carried elsewhere");
    }
}
