//! The reader of JSON as Python has it, against Python's own, on drawn texts: 2,000 in a test run,
//! `KOAB_DRAWS` for more.

use koab_core::python::{Int, PyValue, loads};
use koab_core::split_mix::SplitMix;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// What Python makes of each line, which is a text of JSON that holds the text to be read.
const PYTHON: &str = r#"
import json, struct, sys
def shown(v):
    if v is None: return "n"
    if v is True: return "t"
    if v is False: return "f"
    if isinstance(v, int): return "i" + str(v)
    if isinstance(v, float): return "nan" if v != v else "d" + struct.pack(">d", v).hex()
    if isinstance(v, str): return "s" + ".".join(format(ord(c), "x") for c in v)
    if isinstance(v, list): return "[" + ",".join(map(shown, v)) + "]"
    return "{" + ",".join(shown(k) + ":" + shown(x) for k, x in v.items()) + "}"
for line in sys.stdin.buffer:
    try: value = json.loads(json.loads(line))
    except (ValueError, RecursionError):
        print("refused")
        continue
    sys.setrecursionlimit(9000)
    print(shown(value))
    sys.setrecursionlimit(1000)
"#;

fn shown(value: &PyValue) -> String {
    let list = |parts: Vec<String>| parts.join(",");
    match value {
        PyValue::None => "n".to_owned(),
        PyValue::Bool(true) => "t".to_owned(),
        PyValue::Bool(false) => "f".to_owned(),
        PyValue::Int(Int::Small(small)) => format!("i{small}"),
        PyValue::Int(Int::Big(big)) => format!("i{big}"),
        PyValue::Float(float) if float.is_nan() => "nan".to_owned(),
        PyValue::Float(float) => format!("d{:016x}", float.to_bits()),
        PyValue::Text(text) => shown_text(text),
        PyValue::List(items) => format!("[{}]", list(items.iter().map(shown).collect())),
        PyValue::Dict(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|(name, field)| format!("{}:{}", shown_text(name), shown(field)));
            format!("{{{}}}", list(fields.collect()))
        }
    }
}

/// Halves of characters stand in the last private plane.
fn shown_text(text: &str) -> String {
    let code = |c: char| match u32::from(c) {
        code @ 0x10_d800..0x10_e000 => code - 0x10_0000,
        code => code,
    };
    let codes: Vec<String> = text.chars().map(|c| format!("{:x}", code(c))).collect();
    format!("s{}", codes.join("."))
}

fn pick<'a>(draw: &mut SplitMix, of: &[&'a str]) -> &'a str {
    of[draw.below(of.len())]
}

fn number(draw: &mut SplitMix, out: &mut String) {
    out.push_str(pick(draw, &["", "", "-", "+", "--"]));
    for _ in 0..draw.below(2) * draw.below(40) {
        let _ = write!(out, "{}", draw.below(10));
    }
    out.push_str(pick(draw, &["0", "7", "10", "00", ""]));
    out.push_str(pick(draw, &["", "", "", ".", ".0", ".5", ".25e", "e5", "E+400", "e-400", "e"]));
}

fn text(draw: &mut SplitMix, out: &mut String) {
    out.push_str(pick(draw, &["\"", "\"", "\"", "\"", "\"", "'"]));
    for _ in 0..draw.below(5) {
        out.push_str(pick(
            draw,
            &[
                "a",
                "가",
                "😀",
                "\\n",
                "\\\"",
                "\\/",
                "\\ud83d",
                "\\ude00",
                "\\ud83d\\ude00",
                "\\uD83D",
                "\\u0041",
                "\\u00g0",
                "\\u12",
                "\\x41",
                "\n",
                "\t",
                "\u{7f}",
                "\u{2028}",
                "\\u0000",
                "\\",
                " ",
            ],
        ));
    }
    out.push('"');
}

fn value(draw: &mut SplitMix, depth: usize, out: &mut String) {
    out.push_str(pick(draw, &["", "", "", " ", "\n", "\t", "\u{a0}", "\r", "\u{b}"]));
    match draw.below(if depth == 0 { 6 } else { 10 }) {
        0 => out.push_str(pick(draw, &["null", "true", "false", "None", "True", "nul"])),
        1 => {
            out.push_str(pick(draw, &["NaN", "Infinity", "-Infinity", "nan", "-NaN", "+Infinity", "Infinit"]))
        }
        2 | 3 => number(draw, out),
        4 | 5 => text(draw, out),
        6 | 7 => {
            out.push('[');
            for at in 0..draw.below(4) {
                out.push_str(if at > 0 { pick(draw, &[",", ",", ", ", ",,", ""]) } else { "" });
                value(draw, depth - 1, out);
            }
            out.push_str(pick(draw, &["]", "]", "]", ",]", "}", ""]));
        }
        _ => {
            out.push('{');
            for at in 0..draw.below(4) {
                out.push_str(if at > 0 { pick(draw, &[",", ",", " ,", ";"]) } else { "" });
                out.push_str(pick(draw, &["\"a\"", "\"a\"", "\"b\"", "\"\\u0061\"", "a", "1", "\"\""]));
                out.push_str(pick(draw, &[":", ":", ": ", " :", "", "="]));
                value(draw, depth - 1, out);
            }
            out.push_str(pick(draw, &["}", "}", "}", ",}", "]", ""]));
        }
    }
    out.push_str(pick(draw, &["", "", "", " ", "\n", "\u{feff}", "//"]));
}

#[test]
fn drawn_texts_are_read_as_python_reads_them() {
    let draws = std::env::var("KOAB_DRAWS").ok().and_then(|count| count.parse().ok());
    let mut draw = SplitMix(20_261_129);
    let mut texts = vec![
        "\u{feff}{}".to_owned(),
        String::new(),
        "[".repeat(2_000),
        format!("{}1{}", "[".repeat(500), "]".repeat(500)),
    ];
    for _ in 0..draws.unwrap_or(2_000) {
        let (mut text, depth) = (String::new(), draw.below(4));
        value(&mut draw, depth, &mut text);
        texts.push(text);
    }
    let mut python = Command::new("python3")
        .args(["-c", PYTHON])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 starts");
    let mut stdin = python.stdin.take().expect("piped");
    let lines: Vec<String> = texts.iter().map(|text| serde_json::json!(text).to_string() + "\n").collect();
    let writing =
        std::thread::spawn(move || stdin.write_all(lines.concat().as_bytes()).expect("read to its end"));
    let output = python.wait_with_output().expect("python3 ends");
    writing.join().expect("written");
    let said = String::from_utf8(output.stdout).expect("ASCII");
    let said: Vec<&str> = said.lines().collect();
    assert_eq!(said.len(), texts.len());
    let mut taken = 0;
    for (text, theirs) in texts.iter().zip(said) {
        let ours = loads(text).map_or_else(|_| "refused".to_owned(), |value| shown(&value));
        assert_eq!(ours, theirs, "{text:?}");
        taken += usize::from(theirs != "refused");
    }
    assert!(taken * 10 > texts.len(), "{taken} of {} are JSON to Python", texts.len());
}
