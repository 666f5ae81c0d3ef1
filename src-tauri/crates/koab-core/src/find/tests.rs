use super::{Filter, NameField, NumberField, Query, QueryError, Relation, TextField, TextRelation, fold};
use crate::score::MetricId;
use proptest::prelude::*;

fn printed(text: &str) -> String {
    match text.parse::<Query>() {
        Ok(query) => query.to_string(),
        Err(error) => format!("! {error}"),
    }
}

#[test]
fn a_query_has_one_spelling() {
    for (text, canonical) in [
        ("주가", "주가"),
        ("  tool:StockPrice_krx   level=L3 ", "tool:StockPrice_krx level:L3"),
        ("error:timeout args.query:\"서울 날씨\"", "error~timeout args.query~\"서울 날씨\""),
        ("score:sr:0 steps>=3 seconds<1.50", "score:SR=0 steps>=3 seconds<1.5"),
        ("score:pass@k<1 model~gpt", "score:pass@k<1 model~gpt"),
        ("a AND b OR c", "a b OR c"),
        ("a (b OR c)", "a (b OR c)"),
        ("(a b) (c d)", "a b c d"),
        ("NOT NOT a", "a"),
        ("-(a b)", "-(a b)"),
        ("NOT tool:x", "-tool:x"),
        ("삼성(주)", "\"삼성(주)\""),
        ("(삼성(주))", "\"삼성(주)\""),
        ("args.url=https://a.b/?q=1", "args.url=\"https://a.b/?q=1\""),
        (r#""a \"b\" \\""#, r#""a \"b\" \\""#),
        ("or", "or"),
        ("\"OR\" \"-5\"", "\"OR\" \"-5\""),
        ("ORANGE", "ORANGE"),
        ("answer=\"\\n\"", "answer=\"\\\\n\""),
    ] {
        assert_eq!(printed(text), canonical, "{text}");
        assert_eq!(printed(canonical), canonical, "the canonical spelling of {text}");
    }
}

#[test]
fn a_fault_names_its_character() {
    for (text, message) in [
        (" ", "! the query is empty; give words to search for, or a filter such as `tool:NAME`"),
        ("날씨 level:", "! character 10: a value must follow `level:`"),
        ("날씨 steps:many", "! character 10: `many` is not a number"),
        ("steps~3", "! character 6: `steps` cannot be compared with `~`; it takes =, <, <=, > or >="),
        ("tool<3", "! character 5: `tool` cannot be compared with `<`; it takes :, = or ~"),
        ("score=1", "! character 6: `score` cannot be compared with `=`; it takes :METRIC"),
        ("score:SR", "! character 9: a value must follow `score:SR`"),
        ("a \"b", "! character 3: the double quote is not closed"),
        ("a (b", "! character 3: the bracket is not closed"),
        ("a) b", "! character 2: the closing bracket has no opening one"),
        ("a ()", "! character 4: a filter must stand here"),
        ("a -", "! character 4: a filter must stand here"),
        (
            "OR a",
            "! character 1: a filter must stand before and after `OR`; write \"OR\" to search for the word itself",
        ),
        ("a OR", "! character 5: a filter must stand here"),
        (
            "a AND",
            "! character 3: a filter must stand before and after `AND`; write \"AND\" to search for the word itself",
        ),
    ] {
        assert_eq!(printed(text), message, "{text}");
    }
    let error = "날씨 toool:x".parse::<Query>().unwrap_err().to_string();
    assert!(
        error.starts_with("character 4: there is no field `toool`; the fields are tool, level"),
        "{error}"
    );
    let error = "score:sss=1".parse::<Query>().unwrap_err().to_string();
    assert!(
        error.starts_with("character 7: there is no metric `sss`; the metrics are SR, EPR_CVR"),
        "{error}"
    );
    assert_eq!("(".repeat(1000).parse::<Query>(), Err(QueryError::TooLong));
    assert_eq!("-".repeat(1000).parse::<Query>(), Err(QueryError::TooLong));
    assert_eq!("a ".repeat(5000).parse::<Query>(), Err(QueryError::TooLong));
}

#[test]
fn a_part_of_a_text_is_folded_as_within_it() {
    assert_eq!(fold("ΑΣ Σ\u{1}A가"), "ασ σ\u{fffd}a가");
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[가-힣A-Za-z0-9]{1,4}", "[ \"\\\\()~:=<>\\-가a]{1,5}", Just("OR".to_owned()), "\\PC{1,6}"]
}

fn text_relation() -> impl Strategy<Value = TextRelation> {
    prop_oneof![Just(TextRelation::Contains), Just(TextRelation::Equals)]
}

fn relation() -> impl Strategy<Value = Relation> {
    proptest::sample::select(Relation::ALL.to_vec())
}

fn text_field() -> impl Strategy<Value = TextField> {
    prop_oneof![
        Just(TextField::Ask),
        Just(TextField::Said),
        Just(TextField::Answer),
        Just(TextField::Argument(None)),
        "[a-z_가.]{1,4}".prop_map(|name| TextField::Argument(Some(name))),
        Just(TextField::Result),
        Just(TextField::Error),
    ]
}

fn filter() -> impl Strategy<Value = Query> {
    let number = prop_oneof![Just(0.0), Just(1e-7), Just(1e21), -1e9..1e9];
    let names = proptest::sample::select(NameField::ALL.to_vec());
    let numbers = proptest::sample::select(NumberField::ALL.to_vec());
    let metrics = proptest::sample::select(MetricId::ALL.to_vec());
    let filter = prop_oneof![
        text().prop_map(Filter::Anywhere),
        (text_field(), text_relation(), text()).prop_map(|(field, relation, value)| Filter::Text {
            field,
            relation,
            value
        }),
        (names, text_relation(), text()).prop_map(|(field, relation, value)| Filter::Name {
            field,
            relation,
            value
        }),
        (numbers, relation(), number.clone()).prop_map(|(field, relation, value)| Filter::Number {
            field,
            relation,
            value
        }),
        (metrics, relation(), number).prop_map(|(metric, relation, value)| Filter::Score {
            metric,
            relation,
            value
        }),
    ];
    filter.prop_map(Query::Filter)
}

fn query() -> impl Strategy<Value = Query> {
    filter().prop_recursive(4, 24, 4, |inner| {
        let list = proptest::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            list.clone().prop_filter_map("a list", Query::all),
            list.prop_filter_map("a list", Query::any),
            inner.prop_map(Query::negated),
        ]
    })
}

proptest! {
    /// The spelling of every query is read as the same query.
    #[test]
    fn what_is_printed_is_read_back(query in query()) {
        let spelling = query.to_string();
        prop_assert_eq!(spelling.parse::<Query>(), Ok(query), "{}", spelling);
    }

    /// Every text is a query or a fault; no text breaks the parser.
    #[test]
    fn any_text_is_read_or_refused(text in "[ \"\\\\()~:=<>\\-a가ORNDT]{0,40}") {
        if let Ok(query) = text.parse::<Query>() {
            prop_assert_eq!(query.to_string().parse::<Query>(), Ok(query));
        }
    }
}
