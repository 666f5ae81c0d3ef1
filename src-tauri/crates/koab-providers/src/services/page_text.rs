//! The text of a web page, extracted like in the published tools (`docs/spec/tools.md` §9, steps 3
//! to 7).

use dom_query::Document;
use encoding_rs::{EUC_KR, Encoding, UTF_8};

/// Maximum number of characters of a page's text.
const MAX_CHARS: usize = 500;

/// Elements that contain no text of the page's own.
const AROUND: &str = "script, style, header, footer, nav, aside, form, noscript";

/// Maximum number of words of a line that counts as a menu or button.
const MAX_MENU_WORDS: usize = 3;

/// Number of bytes that are searched for the page's encoding.
const HEAD_BYTES: usize = 2048;

/// A page's bytes as text. The header's encoding takes precedence over the page's own. A page
/// without either that is not UTF-8 is decoded as EUC-KR.
pub(super) fn decoded(bytes: &[u8], content_type: &str) -> String {
    let declared =
        charset(content_type.as_bytes()).or_else(|| charset(&bytes[..bytes.len().min(HEAD_BYTES)]));
    let encoding =
        declared.unwrap_or_else(|| if std::str::from_utf8(bytes).is_ok() { UTF_8 } else { EUC_KR });
    // A byte order mark takes precedence over both.
    encoding.decode(bytes).0.into_owned()
}

fn charset(text: &[u8]) -> Option<&'static Encoding> {
    let lower = String::from_utf8_lossy(text).to_ascii_lowercase();
    let (_, rest) = lower.split_once("charset=")?;
    let name = rest.trim_start_matches(['"', '\'', ' ']);
    let end = name.find(|c: char| !c.is_ascii_alphanumeric() && !"-_:.".contains(c));
    Encoding::for_label(&name.as_bytes()[..end.unwrap_or(name.len())])
}

/// The page's own text in one line, at most 500 characters; `None` for a page without text.
pub(super) fn of_page(html: &str) -> Option<String> {
    let page = Document::from(html);
    page.select(AROUND).remove();
    let root = page.body().unwrap_or_else(|| page.root());
    let pieces: Vec<String> = root
        .descendants_it()
        .filter(|node| node.is_text())
        .map(|node| node.text().trim().to_owned())
        .filter(|piece| !piece.is_empty())
        .collect();
    let joined = pieces.join("\n");
    let lines: Vec<&str> = joined.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let sentences: Vec<&str> =
        lines.iter().copied().filter(|line| line.split_whitespace().count() > MAX_MENU_WORDS).collect();
    let selected = if sentences.is_empty() { lines } else { sentences };
    let text: String = selected.join(" ").chars().take(MAX_CHARS).collect();
    (!text.is_empty()).then_some(text)
}

/// Address of the frame that contains the post of a NAVER blog.
pub(super) fn blog_frame(html: &str) -> Option<String> {
    let frame = Document::from(html).select("iframe#mainFrame").attr("src")?;
    Some(frame.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn menus_and_scripts_are_left_out_and_500_characters_kept() {
        let page = "<html><head><title>제목은 본문이 아닙니다 정말로</title></head><body><header>머리 글 이 여기 있다</header>
            <nav>a b c d e</nav><script>let a = 'b c d e';</script><!-- a b c d e -->
            <p>첫 문장은 <b>굵은</b> 글씨를 담고 있습니다.</p><a>더 보기</a>
            <div>둘째 문장도 낱말이 네 개를 넘습니다.</div></body></html>";
        insta::assert_snapshot!(of_page(page).expect("text"), @"둘째 문장도 낱말이 네 개를 넘습니다.");
        let short = "<body><p>세 낱말 뿐</p><p>메뉴</p></body>";
        assert_eq!(of_page(short).as_deref(), Some("세 낱말 뿐 메뉴"));
        assert_eq!(of_page("<body><script>x</script></body>"), None);
        assert_eq!(of_page(""), None);
        let long = format!("<body>{}</body>", "가나다 ".repeat(400));
        assert_eq!(of_page(&long).expect("text").chars().count(), 500);
    }

    #[test]
    fn encodings_are_found_where_pages_tell_them() {
        let korean: &[u8] = &[0xb0, 0xa1, 0xb3, 0xaa];
        for (content_type, page) in [
            ("text/html; charset=EUC-KR", korean.to_vec()),
            ("text/html", korean.to_vec()),
            ("text/html", [b"<meta charset='euc-kr'>", korean].concat()),
            ("text/html", "가나".into()),
            ("text/html; charset=utf-8", "가나".into()),
            ("text/html; charset=euc-kr", [&b"\xef\xbb\xbf"[..], "가나".as_bytes()].concat()),
        ] {
            assert!(decoded(&page, content_type).ends_with("가나"), "{content_type} {page:?}");
        }
    }

    #[test]
    fn the_frame_of_a_blog_is_found() {
        let page =
            r#"<body><iframe id="mainFrame" src="/PostView.naver?blogId=a&amp;logNo=1"></iframe></body>"#;
        assert_eq!(blog_frame(page).as_deref(), Some("/PostView.naver?blogId=a&logNo=1"));
        assert_eq!(blog_frame("<iframe src='/ad'></iframe>"), None);
    }
}
