//! The published tool catalog: a Python module that sets `TOOL_CATALOG` to a dictionary of
//! `name: (Class, "method", "description", {schema})`. It is parsed, and never run.

use super::python_literal::{Module, fault, parts};
use koab_core::finding::{Fault, Problem};
use koab_core::pack;
use koab_core::say;
use koab_core::tool::ToolSpec;
use serde_json::{Value, json};
use std::collections::HashMap;
use tree_sitter::{Node, Parser};

/// Tools of the module in its order, and the problems of invalid entries. The caller adds the
/// file's name.
pub(super) fn read(source: &str) -> (Vec<ToolSpec>, Vec<Problem>) {
    // Python converts all line endings to `\n` before it parses a text.
    let text = source.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
    let mut parser = Parser::new();
    let tree = match parser.set_language(&tree_sitter_python::LANGUAGE.into()) {
        Ok(()) => parser.parse(&text, None),
        Err(_) => None,
    };
    let Some(tree) = tree else {
        return (Vec::new(), vec![Fault::Unreadable.rejected(say!("cannot be read as Python"))]);
    };
    let module = Module { text: &text, names: names(tree.root_node(), &text) };
    let Some(catalog) = module.names.get("TOOL_CATALOG").copied() else {
        return (Vec::new(), vec![Fault::Missing.rejected(say!("sets no TOOL_CATALOG at its top"))]);
    };
    if catalog.kind() != "dictionary" {
        let problem = fault(catalog, say!("must be a dictionary"));
        return (Vec::new(), vec![problem]);
    }
    let (mut tools, mut problems) = (Vec::<ToolSpec>::new(), Vec::new());
    for entry in parts(catalog) {
        match tool(&module, entry) {
            // For two entries with one name, Python keeps the position of the first and the value
            // of the last.
            Ok(tool) => match tools.iter_mut().find(|known| known.name == tool.name) {
                Some(known) => *known = tool,
                None => tools.push(tool),
            },
            Err(problem) => problems.push(problem),
        }
    }
    (tools, problems)
}

/// Values that the module assigns to names at its top level. The last assignment to each name
/// counts.
fn names<'a>(root: Node<'a>, text: &'a str) -> HashMap<&'a str, Node<'a>> {
    let mut names = HashMap::new();
    for statement in parts(root).into_iter().filter(|statement| statement.kind() == "expression_statement") {
        let Some(assignment) = parts(statement).into_iter().find(|part| part.kind() == "assignment") else {
            continue;
        };
        let field = |name| assignment.child_by_field_name(name);
        if let (Some(left), Some(right)) = (field("left"), field("right"))
            && left.kind() == "identifier"
            && let Some(name) = text.get(left.byte_range())
        {
            names.insert(name, right);
        }
    }
    names
}

fn tool<'a>(module: &Module<'a>, entry: Node<'a>) -> Result<ToolSpec, Problem> {
    let field = |name| entry.child_by_field_name(name);
    let (Some(key), Some(value)) = (field("key"), field("value")) else {
        return Err(fault(entry, say!("is not a tool name with a definition")));
    };
    let Value::String(name) = module.value(key)? else {
        return Err(fault(key, say!("a tool's name must be a text")));
    };
    let of_tool =
        |problem: Problem| Problem { sentence: say!("tool {name}: {}", problem.sentence), ..problem };
    let parts = match value.kind() {
        "tuple" | "list" => parts(value),
        _ => Vec::new(),
    };
    let [_class, _method, description, schema] = parts.as_slice() else {
        let why = say!("must be (class, \"method\", \"description\", {{schema}})");
        return Err(of_tool(fault(value, why)));
    };
    let described = module.value(*description).map_err(of_tool)?;
    let parameters = module.value(*schema).map_err(of_tool)?;
    pack::parse_tool(&json!({"name": name, "description": described, "parameters": parameters})).map_err(
        |problem| {
            let field = problem.field.map(|field| format!("{field} ")).unwrap_or_default();
            of_tool(fault(value, say!("{field}{}", problem.sentence)))
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every tool on a line, then every problem.
    fn check(source: &str) -> String {
        let (tools, problems) = read(source);
        let tools = tools.iter().map(|t| format!("{} | {:?} | {}", t.name, t.description, t.parameters));
        tools.chain(problems.iter().map(ToString::to_string)).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn every_spelling_of_a_value_is_read() {
        let source = r#"
            """A module text."""
            from .api import Api, Other
            LIMIT = 100  # used below
            KINDS = ("a", 'b')

            TOOL_CATALOG: Dict[str, Tuple[Type, str, str, Dict[str, Any]]] = {
                # --- a group ---
                "One": (
                    Api,
                    "call_one",
                    "첫 줄, "   # joined
                    'then "quotes" \'here\'' " and \u0041\x42\103\t\\ \d",
                    {"type": "object", "properties": {
                        "n": {"type": "integer", "default": 10, "maximum": LIMIT, "minimum": -5},
                        "x": {"type": "number", "default": 1.5e-3, "multipleOf": 0.5},
                        "b": {"type": "boolean", "default": True}, "e": {"enum": [None, False, *"#;
        let source =
            source.replace("*", "\"z\"]}, \"k\": {\"enum\": KINDS},\n}, \"required\": [\"n\",],},\n),\n");
        let source = source
            + r#"
                'Two': (Other, "call_two", """
                three
                  lines""" + r' raw\n', {}),
                "Two_": [Other.inner, f"name", ("paren"), {"type": "object"}],
            }
        "#;
        let dedented: String = source
            .lines()
            .map(|line| format!("{}\n", line.strip_prefix("            ").unwrap_or(line)))
            .collect();
        insta::assert_snapshot!(check(&dedented), @r#"
        One | "첫 줄, then \"quotes\" 'here' and ABC\t\\ \\d" | {"type":"object","properties":{"n":{"type":"integer","default":10,"maximum":100,"minimum":-5},"x":{"type":"number","default":0.0015,"multipleOf":0.5},"b":{"type":"boolean","default":true},"e":{"enum":[null,false,"z"]},"k":{"enum":["a","b"]}},"required":["n"]}
        Two | "\n    three\n      lines raw\\n" | {}
        Two_ | "paren" | {"type":"object"}
        "#);
    }

    #[test]
    fn line_ends_of_other_systems_change_nothing() {
        let unix = "TOOL_CATALOG = {\n  'A': (X, 'm', '''one\n  two''', {}),\n}\n";
        assert_eq!(check(unix), r#"A | "one\n  two" | {}"#);
        assert_eq!(check(&format!("\u{feff}{}", unix.replace('\n', "\r\n"))), check(unix));
    }

    #[test]
    fn bad_entries_are_named_with_their_line_and_the_others_are_kept() {
        let source = r#"BASE = {"type": "object"}
TOOL_CATALOG = {
    "Good": (A, "m", "fine", BASE),
    "Call": (A, "m", describe("x"), {}),
    "Short": (A, "m", {}),
    "Name": (A, "m", "d", MISSING),
    "Formatted": (A, "m", f"{x}", {}),
    "Bytes": (A, "m", b"x", {}),
    "Empty": (A, "m", "", {}),
    "List": (A, "m", "d", []),
    "Sum": (A, "m", "d", {"default": 1 + 1}),
    7: (A, "m", "d", {}),
    **OTHERS,
    "Key": (A, "m", "d", {1: 2}),
    "Type": (A, "m", "d", {"type": "strnig"}),
    "Also_good": (A, "m", "d", {}),
    "Good": (A, "m", "better", BASE),
}
"#;
        let read = check(source);
        let read = read.split("is not a valid JSON Schema").next().expect("a start");
        insta::assert_snapshot!(read, @r#"
        Good | "better" | {"type":"object"}
        Also_good | "d" | {}
        line 4: tool Call: `describe("x")` is not a plain value, and the file is not run (left out)
        line 5: tool Short: must be (class, "method", "description", {schema}) (left out)
        line 6: tool Name: `MISSING` is not set in this file (left out)
        line 7: tool Formatted: is a formatted text, and the file is not run (left out)
        line 8: tool Bytes: is a byte string, which JSON cannot hold (left out)
        line 9: tool Empty: description must be a text that is not empty (left out)
        line 10: tool List: parameters must be a JSON Schema object (left out)
        line 11: tool Sum: is a calculation, and the file is not run (left out)
        line 12: a tool's name must be a text (left out)
        line 13: is not a tool name with a definition (left out)
        line 14: tool Key: a key must be a text (left out)
        line 15: tool Type: parameters
        "#);
    }

    #[test]
    fn files_without_a_catalog_say_so() {
        for (source, problem) in [
            ("", "sets no TOOL_CATALOG at its top (left out)"),
            ("def f():\n    TOOL_CATALOG = {}\n", "sets no TOOL_CATALOG at its top (left out)"),
            ("\nTOOL_CATALOG = build()\n", "line 2: must be a dictionary (left out)"),
        ] {
            assert_eq!(check(source), problem);
        }
        assert!(
            check("TOOL_CATALOG = {'A': (X, 'm', 'd', {").contains("(left out)"),
            "a cut-off file is a problem"
        );
        let deep =
            format!("TOOL_CATALOG = {{'A': (X, 'm', 'd', {}1{})}}", "[".repeat(5000), "]".repeat(5000));
        assert_eq!(check(&deep), "line 1: tool A: is nested too deeply (left out)");
        let circle = "A = B\nB = A\nTOOL_CATALOG = {'A': (X, 'm', A, {})}";
        assert_eq!(check(circle), "line 2: tool A: is nested too deeply (left out)");
    }
}
