use super::*;
use koab_core::find::TextField;
use koab_core::score::MetricId;
use proptest::prelude::*;

fn attempt(task: &str, texts: &[(TextField, &str)]) -> AttemptDocument {
    let texts = texts.iter().map(|(field, text)| FieldText {
        field: field.clone(),
        number: 1,
        text: (*text).to_owned(),
    });
    AttemptDocument {
        task: task.to_owned(),
        level: task.split('-').next().unwrap_or_default().to_owned(),
        repetition: 1,
        status: "answered".to_owned(),
        texts: texts.collect(),
        ..AttemptDocument::default()
    }
}

fn write(index: &FindIndex, run: &str, model: &str, attempts: &[AttemptDocument]) {
    let date = run.rsplit('/').next().unwrap_or_default();
    let head = RunHead { run, stamp: "1", model, pack: Some("p@1"), date };
    let written: Result<()> = index.write_run(&head, |add| {
        attempts.iter().try_for_each(add)?;
        Ok(Vec::new())
    });
    written.expect("written");
}

fn found(index: &FindIndex, query: &str) -> Vec<String> {
    let page = index.search(&query.parse().expect("a query"), 0..100).expect("searched");
    assert_eq!(page.total, page.hits.len());
    page.hits.into_iter().map(|hit| format!("{} {}", hit.run, hit.task)).collect()
}

fn index_of_two() -> (tempfile::TempDir, FindIndex) {
    let folder = tempfile::tempdir().expect("a folder");
    let index = FindIndex::at(folder.path());
    let query = || TextField::Argument(Some("query".to_owned()));
    let first = [
        AttemptDocument {
            tools: vec!["StockPrice_krx".to_owned()],
            calls: 1,
            seconds: Some(1.5),
            tokens: Some(700),
            scores: vec![(MetricId::Sr, 0.0)],
            ..attempt("L1-001", &[(TextField::Answer, "오늘의 주가는 98,530원"), (query(), "삼성전자")])
        },
        attempt("L3-002", &[(TextField::Error, "Timeout \"가\""), (TextField::Ask, "날씨")]),
    ];
    write(&index, "a/20260101_000000", "azure/gpt-4o", &first);
    let second = [AttemptDocument {
        status: "failed".to_owned(),
        scores: vec![(MetricId::Sr, 1.0)],
        ..attempt("L1-001", &[(TextField::Answer, "주가"), (TextField::Result, "{\"가격\": 1}")])
    }];
    write(&index, "b/20260102_000000", "z/qwen", &second);
    (folder, index)
}

#[test]
fn filters_find_the_attempts_that_they_describe() {
    let (_folder, index) = index_of_two();
    let (a1, a3, b1) = ("a/20260101_000000 L1-001", "a/20260101_000000 L3-002", "b/20260102_000000 L1-001");
    for (query, expected) in [
        ("주가", vec![b1, a1]),
        ("주", vec![b1, a1]),
        ("가", vec![b1, a1, a3]),
        ("가는", vec![a1]),
        ("answer=주가", vec![b1]),
        ("answer=주", vec![]),
        ("98,530원", vec![a1]),
        ("원", vec![a1]),
        ("timeout", vec![a3]),
        ("error:TIME", vec![a3]),
        ("answer:timeout", vec![]),
        ("\"t \\\"가\\\"\"", vec![a3]),
        ("args:삼성", vec![a1]),
        ("args.query:성전", vec![a1]),
        ("args.Query=삼성전자", vec![a1]),
        ("args.other:성전", vec![]),
        ("tool:stockprice_KRX", vec![a1]),
        ("tool~price", vec![a1]),
        ("level:L1 -model:gpt-4o", vec![b1]),
        ("model:azure/gpt-4o level:l3", vec![a3]),
        ("pack:p", vec![b1, a1, a3]),
        ("pack:p@1 task~002", vec![a3]),
        ("run~b/ OR run:a/20260101_000000", vec![b1, a1, a3]),
        ("status:failed", vec![b1]),
        ("score:SR=0", vec![a1]),
        ("score:SR>=0", vec![b1, a1]),
        ("-score:SR>=0", vec![a3]),
        ("seconds>1 tokens<=700 calls:1", vec![a1]),
        ("seconds<1", vec![]),
        ("-주가", vec![a3]),
        ("(주가 OR 날씨) -status:failed", vec![a1, a3]),
    ] {
        assert_eq!(found(&index, query), expected, "{query}");
    }
}

#[test]
fn a_page_has_counts_of_all_and_the_places_of_its_hits() {
    let (_folder, index) = index_of_two();
    let page = index.search(&"주가".parse().expect("a query"), 1..2).expect("searched");
    assert_eq!((page.total, page.runs, page.searched, page.searched_runs), (2, 2, 3, 2));
    let count = |name: &str, attempts| AttemptCount { name: name.to_owned(), attempts };
    assert_eq!(page.models, [count("azure/gpt-4o", 1), count("z/qwen", 1)]);
    assert_eq!(page.levels, [count("L1", 2)]);
    assert_eq!(page.tools, [count("StockPrice_krx", 1)]);
    let [hit] = &page.hits[..] else { panic!("one hit") };
    assert_eq!((hit.run.as_str(), hit.level.as_str(), hit.repetition), ("a/20260101_000000", "L1", 1));
    let [excerpt] = &hit.excerpts[..] else { panic!("one excerpt") };
    assert_eq!(excerpt.text, "오늘의 주가는 98,530원");
    assert_eq!(excerpt.marks, std::slice::from_ref(&(4..6)));
    let page = index.search(&"level:L3".parse().expect("a query"), 0..9).expect("searched");
    assert_eq!(page.hits[0].excerpts[0].text, "Timeout \"가\"", "the first text, without a mark");
}

#[test]
fn a_run_is_replaced_and_removed_with_its_texts() {
    let (_folder, index) = index_of_two();
    write(
        &index,
        "a/20260101_000000",
        "azure/gpt-4o",
        &[attempt("L1-001", &[(TextField::Answer, "새 답변")])],
    );
    assert_eq!(found(&index, "주가"), ["b/20260102_000000 L1-001"]);
    assert_eq!(found(&index, "답변"), ["a/20260101_000000 L1-001"]);
    index.remove_run("b/20260102_000000").expect("removed");
    index.compact().expect("compacted");
    assert_eq!(found(&index, "주가"), Vec::<String>::new());
    assert_eq!(index.runs().expect("read").len(), 1);
}

#[test]
fn a_run_that_cannot_be_read_leaves_the_index_as_it_was() {
    let (_folder, index) = index_of_two();
    let head =
        RunHead { run: "a/20260101_000000", stamp: "2", model: "m", pack: None, date: "20260101_000000" };
    let refused = index.write_run(&head, |add| {
        add(&attempt("L1-009", &[(TextField::Answer, "주가")]))?;
        Err(crate::Error::Cancelled)
    });
    assert!(matches!(refused, Err(crate::Error::Cancelled)));
    assert_eq!(found(&index, "주가").len(), 2);
    assert_eq!(index.runs().expect("read")["a/20260101_000000"], "1");
}

#[test]
fn a_damaged_index_is_made_again() {
    let (folder, index) = index_of_two();
    let path = folder.path().join("find.sqlite");
    std::fs::write(&path, "no database ".repeat(1000)).expect("written");
    assert_eq!(index.runs().expect("read"), BTreeMap::new());
    write(&index, "a/20260101_000000", "m", &[attempt("L1-001", &[(TextField::Answer, "주가")])]);
    assert_eq!(found(&index, "주가"), ["a/20260101_000000 L1-001"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// A text is found by each of its parts, and by nothing else.
    #[test]
    fn a_part_finds_exactly_the_texts_that_contain_it(
        texts in proptest::collection::vec("[가나다aA\"*\n ]{1,8}", 1..6),
        parts in proptest::collection::vec("[가나다aA\"*\n ]{1,4}", 1..6),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let index = FindIndex::at(folder.path());
        let attempts: Vec<_> = texts.iter().enumerate()
            .map(|(i, text)| attempt(&format!("T-{i}"), &[(TextField::Answer, text)]))
            .collect();
        write(&index, "m/1", "m", &attempts);
        for part in parts {
            let contains = |text: &&String| text.to_lowercase().contains(&part.to_lowercase());
            let query = Query::Filter(koab_core::find::Filter::Anywhere(part.clone()));
            let page = index.search(&query, 0..0).expect("searched");
            prop_assert_eq!(page.total, texts.iter().filter(contains).count(), "{:?}", part);
            let value = part.clone();
            let relation = koab_core::find::TextRelation::Equals;
            let query = Query::Filter(koab_core::find::Filter::Text { field: TextField::Answer, relation, value });
            let page = index.search(&query, 0..0).expect("searched");
            let equals = |text: &&String| text.to_lowercase() == part.to_lowercase();
            prop_assert_eq!(page.total, texts.iter().filter(equals).count(), "{:?}", part);
        }
    }
}
