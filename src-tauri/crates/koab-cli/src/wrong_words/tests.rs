use super::*;

/// Words that work, although no help shows them.
const WORK: &[&str] = &[
    "koab evaluate last",
    "koab evaluate last --judge-models openai/gpt-4o",
    "koab score last --judge openai/gpt-4o",
    "koab run --model openai/gpt-4o --evaluate --judge openai/gpt-4o",
    "koab judge again last --judge openai/gpt-4o",
    "koab reports list",
    "koab reports ls",
    "koab model list",
    "koab model ls",
    "koab packs list",
    "koab key list",
    "koab agent list",
    "koab scenarios lint .",
    "koab judges panel",
    "koab runs ls",
    "koab runs rm azure_gpt-4o/20251219_113310",
    "koab report remove azure_gpt-4o_20251219",
    "koab report import .",
    "koab report compare a b",
    "koab run --model openai/gpt-4o --repetition 3",
    "koab help run",
    "koab help report show",
];

/// Wrong words, and what their answer has to name.
const ANSWERED: &[(&str, &str)] = &[
    ("koab list", "`koab runs list`, `koab report list`, `koab pack list`, `koab models list`"),
    ("koab ls", "`koab report list`"),
    ("koab rm x", "`koab runs delete`"),
    ("koab delete x", "`koab report delete`"),
    ("koab undo", "`koab trash restore`"),
    ("koab imprt x", "did you mean `koab import`?"),
    ("koab socre last", "did you mean `koab score`?"),
    ("koab sevre", "did you mean `koab serve`?"),
    ("koab evalute last", "did you mean `koab score`?"),
    ("koab eval last", "did you mean `koab score`?"),
    ("koab diff a b", "did you mean `koab compare`?"),
    ("koab Compare a b", "did you mean `koab compare`?"),
    ("koab benchmark", "did you mean `koab run`?"),
    ("koab bench", "did you mean `koab run`?"),
    ("koab resume", "did you mean `koab run --resume last`?"),
    ("koab login", "did you mean `koab keys set`?"),
    ("koab ui", "`koab serve`"),
    ("koab prepare x", "did you mean `koab submit prepare`?"),
    ("koab lint", "`koab pack lint`"),
    ("koab atlas", "did you mean `koab report atlas`?"),
    ("koab matrix", "did you mean `koab report matrix`?"),
    ("koab override x", "`koab judge override`"),
    ("koab fork last", "did you mean `koab runs fork`?"),
    ("koab status", "`koab runs list`"),
    ("koab prices", "`koab models prices`"),
    ("koab logs", "`koab show last`"),
    ("koab report shwo x", "did you mean `koab report show`?"),
    ("koab report view x", "did you mean `koab report show`?"),
    ("koab report diff a b", "did you mean `koab report compare`?"),
    ("koab runs view last", "did you mean `koab runs show`?"),
    ("koab runs undelete x", "did you mean `koab runs restore`?"),
    ("koab runs score last", "did you mean `koab score`?"),
    ("koab models download x", "did you mean `koab models pull`?"),
    ("koab models test x", "`koab models probe`"),
    ("koab keys add OPENAI_API_KEY", "did you mean `koab keys set`?"),
    ("koab pack activate x", "did you mean `koab pack use`?"),
    ("koab cache miss last", "did you mean `koab cache misses`?"),
    ("koab judge list", "`koab judge panel`"),
    ("koab --lang en --home /nowhere lits", "did you mean `koab runs list`"),
    ("koab run list", "did you mean `koab runs list`?"),
    ("koab run show last", "did you mean `koab runs show`?"),
    ("koab run openai/gpt-4o", "did you mean `koab run --model openai/gpt-4o`?"),
    ("koab run last", "did you mean `koab run --resume last`?"),
    ("koab score last --judges openai/gpt-4o", "did you mean `--judge-models`?"),
    ("koab score last --grader openai/gpt-4o", "did you mean `--judge-models`?"),
    ("koab score last --jugde-models openai/gpt-4o", "did you mean `--judge-models`?"),
    ("koab score last --no-judges", "did you mean `--no-judge`?"),
    ("koab run --llm openai/gpt-4o", "did you mean `--model`?"),
    ("koab run --model a/b --url http://localhost", "did you mean `--base-url`?"),
    ("koab run --model a/b --base_url http://localhost", "did you mean `--base-url`?"),
    ("koab run --model a/b --level L1", "did you mean `--levels`?"),
    ("koab run --model a/b --parallel 4", "did you mean `--concurrency`?"),
    ("koab run --model a/b --budget 1", "did you mean `--max-cost`?"),
    ("koab run --model a/b --score", "did you mean `--evaluate`?"),
    ("koab run --model a/b --temprature 0", "did you mean `--temperature`?"),
    ("koab runs delete x --force", "did you mean `--yes`?"),
    ("koab run --model a/b --no-judge", "belongs to `koab score`"),
    ("koab compare a b --nonsense", "`koab compare --help`"),
    ("koab nonsense", "`koab help --all`"),
    ("koab serve here", "`koab serve --help`"),
];

fn error(line: &str) -> Option<clap::Error> {
    crate::help::tree().try_get_matches_from(line.split(' ')).err()
}

#[test]
fn old_and_other_spellings_work() {
    let is_help = |error: &clap::Error| error.kind() == ErrorKind::DisplayHelp;
    for line in WORK {
        let error = error(line).filter(|error| !is_help(error));
        assert!(error.is_none(), "{line}: {}", error.unwrap());
    }
}

#[test]
fn a_wrong_word_is_answered_by_the_right_one() {
    let mut wrong = Vec::new();
    for (line, expected) in ANSWERED {
        let words: Vec<String> = line.split(' ').skip(1).map(str::to_owned).collect();
        let sentence = error(line).and_then(|error| answer(&error, &words));
        let text = sentence.map(|sentence| sentence.to_string()).unwrap_or_default();
        if !text.contains(expected) {
            wrong.push(format!("{line}: {text} (expected: {expected})"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(WORK.len() + ANSWERED.len() >= 40);
}

#[test]
fn the_opposite_is_never_an_answer() {
    for line in ["koab score last --judg x", "koab score last --judged x", "koab score last --judge-mode x"] {
        let words: Vec<String> = line.split(' ').skip(1).map(str::to_owned).collect();
        let text = answer(&error(line).unwrap(), &words).unwrap().to_string();
        assert!(!text.contains("--no-"), "{line}: {text}");
    }
}

#[test]
fn every_answer_is_a_command() {
    for answer in synonyms::answers() {
        let mut words = answer.split(' ').take_while(|word| !word.starts_with('-') && *word != "last");
        let mut root = crate::help::tree();
        root.build();
        let command = words.try_fold(&root, |command, word| command.find_subcommand(word));
        assert!(command.is_some(), "{answer}");
    }
}
