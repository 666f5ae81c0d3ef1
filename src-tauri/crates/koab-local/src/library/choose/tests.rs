use super::*;

fn listed(paths: &[(&str, u64)]) -> Vec<RepositoryFile> {
    let file = |(path, size): &(&str, u64)| RepositoryFile { path: (*path).to_owned(), size: *size };
    paths.iter().map(file).collect()
}

fn paths(offer: &Offer) -> Vec<&str> {
    offer.files.iter().map(|file| file.path.as_str()).collect()
}

#[test]
fn of_a_usual_repository_only_what_a_run_needs_is_fetched() {
    let files = listed(&[
        (".gitattributes", 1),
        ("README.md", 1),
        ("LICENSE", 1),
        ("config.json", 1),
        ("model-00001-of-00002.safetensors", 500),
        ("model-00002-of-00002.safetensors", 400),
        ("model.safetensors.index.json", 1),
        ("pytorch_model.bin", 900),
        ("consolidated.safetensors", 900),
        ("onnx/model.onnx", 900),
        ("original/params.safetensors", 900),
        ("tokenizer.json", 5),
        ("tokenizer_config.json", 1),
        ("vocab.json", 3),
    ]);
    let chosen = choose(&files, &Want::Usual).expect("chosen");
    assert_eq!(chosen.kind, Kind::Safetensors);
    assert_eq!(
        paths(&chosen),
        [
            "README.md",
            "LICENSE",
            "config.json",
            "model.safetensors.index.json",
            "tokenizer.json",
            "tokenizer_config.json",
            "model-00001-of-00002.safetensors",
            "model-00002-of-00002.safetensors",
        ]
    );
    assert_eq!(chosen.bytes(), 910);
}

#[test]
fn of_several_gguf_models_one_is_fetched_with_all_its_parts() {
    let files = listed(&[
        ("README.md", 1),
        ("m-q4_k_m.gguf", 40),
        ("m-q4_0.gguf", 39),
        ("m-q8_0-00001-of-00002.gguf", 50),
        ("m-q8_0-00002-of-00002.gguf", 30),
        ("mmproj-f16.gguf", 9),
    ]);
    let quantized = |name: &str| choose(&files, &Want::Quantization(name.to_owned()));
    assert_eq!(paths(&quantized("4bit").expect("chosen")), ["README.md", "m-q4_k_m.gguf"]);
    assert_eq!(paths(&quantized("q4_0").expect("chosen")), ["README.md", "m-q4_0.gguf"]);
    let both = ["README.md", "m-q8_0-00001-of-00002.gguf", "m-q8_0-00002-of-00002.gguf"];
    assert_eq!(paths(&quantized("8bit").expect("chosen")), both);
    let by_part = Want::File("m-q8_0-00002-of-00002.gguf".to_owned());
    assert_eq!(paths(&choose(&files, &by_part).expect("chosen")), both);
    let error = choose(&files, &Want::Usual).expect_err("unclear");
    insta::assert_snapshot!(error, @"it has 3 GGUF models; choose one with --file or --quantization: m-q8_0-00001-of-00002.gguf, m-q4_k_m.gguf, m-q4_0.gguf");
    let error = quantized("Q3_K_S").expect_err("not there");
    insta::assert_snapshot!(error, @"it has nothing that fits Q3_K_S; it has m-q8_0-00001-of-00002.gguf, m-q4_k_m.gguf, m-q4_0.gguf");
}

#[test]
fn a_file_is_named_with_an_ending_in_capitals() {
    let files = listed(&[("README.md", 1), ("M-Q8_0.GGUF", 9)]);
    let named = choose(&files, &Want::File("M-Q8_0.GGUF".to_owned())).expect("chosen");
    assert_eq!((named.kind, paths(&named)), (Kind::Gguf, vec!["README.md", "M-Q8_0.GGUF"]));
}

#[test]
fn a_quantization_of_weights_that_are_not_quantized_means_to_convert_them() {
    let files = listed(&[("model.safetensors", 9), ("config.json", 1)]);
    let chosen = choose(&files, &Want::Quantization("4bit".to_owned())).expect("chosen");
    assert_eq!(chosen.kind, Kind::Safetensors);
}

#[test]
fn what_is_no_model_is_refused_by_what_it_is() {
    let pickles = listed(&[("pytorch_model.bin", 9), ("config.json", 1)]);
    assert_eq!(choose(&pickles, &Want::Usual), Err(ChoiceError::Pickles));
    assert_eq!(choose(&listed(&[("data.parquet", 9)]), &Want::Usual), Err(ChoiceError::Nothing));
}

#[test]
fn patterns_choose_exactly_what_fits() {
    let files = listed(&[("a/x.gguf", 1), ("a/y.gguf", 1), ("README.md", 1)]);
    let include = |patterns: &[&str]| {
        choose(&files, &Want::Include(patterns.iter().map(|one| (*one).to_owned()).collect()))
    };
    assert_eq!(paths(&include(&["*x.gguf"]).expect("chosen")), ["a/x.gguf"]);
    assert_eq!(paths(&include(&["a/?.gguf", "*.md"]).expect("chosen")).len(), 3);
    assert!(include(&["*.bin"]).is_err());
    assert!(fits("*", "") && fits("a*b*c", "a--b--b-c") && !fits("a*b", "abc") && !fits("", "x"));
}
