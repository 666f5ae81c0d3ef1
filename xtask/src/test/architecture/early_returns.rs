//! Checks tests that end early. Such a test must print the reason in a line that starts with
//! `SKIP:`, so that it is counted as skipped.
//!
//! The check reads the `return`s of test functions. The statement around a `return` must print that
//! line, or must call a function that prints it (`let Some(data) = shared("parity") else { return
//! };`). Ignored tests (`#[ignore]`) are reported, too. Tests inside macros are not checked.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ExprLit, Item, ItemFn, Lit, Stmt};

use super::source::Source;

/// Start of the line with which a test reports that it is skipped.
const MARK: &str = "SKIP:";

/// Returns one sentence about each test that ends early without a reason, or is ignored.
pub(super) fn violations(sources: &[Source]) -> Vec<String> {
    let mut violations = Vec::new();
    // Names are looked up per crate, because helpers of the same name in two crates may differ.
    let crate_of = |source: &Source| source.name.split('/').take(3).collect::<Vec<_>>().join("/");
    for files in sources.chunk_by(|a, b| crate_of(a) == crate_of(b)) {
        let paths: Vec<PathBuf> = files.iter().flat_map(paths).collect();
        let of_others = sources.iter().filter(|source| paths.contains(&PathBuf::from(&source.name)));
        violations.extend(violations_in(files, of_others));
    }
    violations
}

/// Files of other crates that a file includes as modules with `#[path = "…"]`.
fn paths(source: &Source) -> Vec<PathBuf> {
    let folder = Path::new(&source.name).parent().unwrap_or(Path::new(""));
    let modules = source.code.items.iter().filter_map(|item| match item {
        Item::Mod(module) => module.attrs.iter().find(|attribute| attribute.path().is_ident("path")),
        _ => None,
    });
    let relative = modules.filter_map(|attribute| match &attribute.meta.require_name_value().ok()?.value {
        Expr::Lit(ExprLit { lit: Lit::Str(path), .. }) => Some(path.value()),
        _ => None,
    });
    relative
        .map(|path| {
            let mut whole = PathBuf::new();
            for part in folder.join(path).components() {
                match part {
                    Component::ParentDir => drop(whole.pop()),
                    part => whole.push(part),
                }
            }
            whole
        })
        .collect()
}

/// Returns the violations in the files of one crate. `of_others` are files of other crates that
/// these files include as modules.
fn violations_in<'a>(files: &[Source], of_others: impl Iterator<Item = &'a Source>) -> Vec<String> {
    let read = |source: &Source| {
        let mut reader = Functions::default();
        reader.visit_file(&source.code);
        reader.0
    };
    let mut functions = Vec::new();
    for source in files {
        functions.extend(read(source).into_iter().map(|function| (&source.name, function)));
    }
    let helpers: Vec<Function> = of_others.flat_map(read).collect();
    let saying = saying(functions.iter().map(|(_, function)| function).chain(&helpers));
    let mut violations = Vec::new();
    for (file, function) in functions.iter().filter(|(_, function)| function.is_test) {
        violations.extend(function.ignored.iter().map(|line| {
            format!("{file}:{line} leaves a test out by `ignore`; where it cannot run, it says `{MARK} why`")
        }));
        let silent = function
            .returns
            .iter()
            .filter(|(_, around)| !around.contains(MARK) && around.is_disjoint(&saying));
        violations.extend(silent.map(|(line, _)| {
            format!("{file}:{line} returns from the test {} without printing `{MARK} why`", function.name)
        }));
    }
    violations
}

/// Names of functions that print the line with the reason, or call such a function.
fn saying<'a>(functions: impl Iterator<Item = &'a Function>) -> BTreeSet<String> {
    let helpers: Vec<&Function> = functions.filter(|function| !function.is_test).collect();
    let mut saying = BTreeSet::new();
    loop {
        let more: Vec<String> = helpers
            .iter()
            .filter(|helper| !saying.contains(&helper.name))
            .filter(|helper| {
                helper.words.contains(MARK) || (helper.may_fail && !helper.words.is_disjoint(&saying))
            })
            .map(|helper| helper.name.clone())
            .collect();
        if more.is_empty() {
            return saying;
        }
        saying.extend(more);
    }
}

/// A function or a static.
struct Function {
    name: String,
    is_test: bool,
    /// Whether the function returns an `Option`, a `Result` or a `bool`, so that its caller can
    /// detect a missing value.
    may_fail: bool,
    /// Every word in the function, and [`MARK`] if a string in it starts with `SKIP:`.
    words: BTreeSet<String>,
    /// Line numbers of the `#[ignore]` attributes of the function.
    ignored: Vec<usize>,
    /// Line number of each `return`, with the words of the statement around it.
    returns: Vec<(usize, BTreeSet<String>)>,
}

#[derive(Default)]
struct Functions(Vec<Function>);

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        let is_test = item.attrs.iter().any(|attribute| is_called(attribute, "test"));
        let mut returns = Returns::default();
        if is_test {
            returns.visit_block(&item.block);
        }
        let output = words(&item.sig.output);
        self.0.push(Function {
            name: item.sig.ident.to_string(),
            is_test,
            may_fail: ["Option", "Result", "bool"].iter().any(|name| output.contains(*name)),
            // No code calls a test, so its words are not needed.
            words: if is_test { BTreeSet::new() } else { words(&item.block) },
            ignored: item
                .attrs
                .iter()
                .filter(|attribute| is_called(attribute, "ignore"))
                .map(|attribute| attribute.pound_token.span.start().line)
                .collect(),
            returns: returns.found,
        });
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        let output = words(&item.sig.output);
        self.0.push(Function {
            name: item.sig.ident.to_string(),
            is_test: false,
            may_fail: ["Option", "Result", "bool"].iter().any(|name| output.contains(*name)),
            words: words(&item.block),
            ignored: Vec::new(),
            returns: Vec::new(),
        });
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.0.push(Function {
            name: item.ident.to_string(),
            is_test: false,
            may_fail: words(&item.ty).contains("Option"),
            words: words(&item.expr),
            ignored: Vec::new(),
            returns: Vec::new(),
        });
    }
}

/// Collects the `return`s of a function. The `return`s of inner functions and closures are left
/// out.
#[derive(Default)]
struct Returns<'ast> {
    /// Enclosing statements, the innermost last.
    around: Vec<&'ast Stmt>,
    found: Vec<(usize, BTreeSet<String>)>,
}

impl<'ast> Visit<'ast> for Returns<'ast> {
    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        // The statement `return;` itself is skipped, so that the statement around its block is
        // used.
        let alone = matches!(statement, Stmt::Expr(Expr::Return(_), _));
        if !alone {
            self.around.push(statement);
        }
        visit::visit_stmt(self, statement);
        if !alone {
            self.around.pop();
        }
    }

    fn visit_expr_return(&mut self, found: &'ast syn::ExprReturn) {
        let around = self.around.last().map(words).unwrap_or_default();
        self.found.push((found.return_token.span.start().line, around));
        visit::visit_expr_return(self, found);
    }

    fn visit_item_fn(&mut self, _: &'ast ItemFn) {}

    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}

    fn visit_expr_async(&mut self, _: &'ast syn::ExprAsync) {}
}

fn is_called(attribute: &Attribute, name: &str) -> bool {
    let last = attribute.path().segments.last();
    last.is_some_and(|word| word.ident == name)
}

/// Every word of a piece of code, and [`MARK`] if a string in the code starts with `SKIP:`.
fn words(code: &impl ToTokens) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    add_words(code.to_token_stream(), &mut words);
    words
}

fn add_words(tokens: TokenStream, words: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => {
                words.insert(word.to_string());
            }
            TokenTree::Literal(text) => {
                let text = text.to_string();
                if text.trim_start_matches(['"', 'r', '#']).starts_with(MARK) {
                    words.insert(MARK.to_owned());
                }
            }
            TokenTree::Group(group) => add_words(group.stream(), words),
            TokenTree::Punct(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source { name: "a.rs".to_owned(), code: syn::parse_file(text).unwrap() }
    }

    /// Lines of the violations in a file that has one test with this body and some helper
    /// functions. Some of the helpers print the reason of a skip, and `quiet` does not.
    fn lines(body: &str) -> Vec<String> {
        let text = format!(
            "#[tokio::test]\nasync fn a_test() {{\n{body}\n}}\n\
             fn data() -> Option<u8> {{ eprintln!(\"SKIP: no data\"); None }}\n\
             fn stage() -> Option<u8> {{ data() }}\n\
             fn quiet() -> Option<u8> {{ None }}\n\
             impl Stage {{ fn of() -> Option<u8> {{ eprintln!(\"SKIP: no stage\"); None }} }}\n\
             static KEPT: LazyLock<Option<u8>> = LazyLock::new(|| data());"
        );
        violations(&[source(&text)])
    }

    #[test]
    fn a_helper_of_another_crate_is_followed_by_its_path() {
        let of = |name: &str, text: &str| Source { name: name.to_owned(), ..source(text) };
        let helper = "fn data() -> Option<u8> { eprintln!(\"SKIP: no data\"); None }";
        let test = |path: &str| {
            format!("{path} mod support;\n#[test]\nfn a_test() {{ let Some(_) = data() else {{ return }}; }}")
        };
        let found = |path: &str| {
            violations(&[
                of("crates/a/tests/one.rs", &test(path)),
                of("crates/b/tests/support/mod.rs", helper),
            ])
        };
        assert_eq!(found("#[path = \"../../b/tests/support/mod.rs\"]"), Vec::<String>::new());
        assert_eq!(found("").len(), 1, "a helper that is not there says nothing");
    }

    #[test]
    fn a_test_says_why_it_ends_early() {
        for (body, expected) in [
            ("let Some(x) = data() else { return };", 0),
            ("let Some(x) = stage().await else {\nreturn;\n};", 0),
            ("let Some(x) = &*KEPT else { return };", 0),
            ("let Some(x) = Stage::of() else { return };", 0),
            ("if x { eprintln!(\"SKIP: {y}\"); return; }", 0),
            ("let y = match data() { Some(y) => y, None => return };", 0),
            ("let f = || { return 1; }; fn g() { return; }", 0),
            ("let Some(x) = quiet() else { return };", 1),
            ("if x { return; }", 1),
            ("data(); if x { return; }", 1),
            ("for x in y { if z { return; } }", 1),
            ("eprintln!(\"no SKIP: here\"); return;", 1),
        ] {
            let found = lines(body);
            assert_eq!(found.len(), expected, "{body}: {found:?}");
        }
        assert_eq!(
            lines("\nif x { return; }"),
            ["a.rs:4 returns from the test a_test without printing `SKIP: why`"]
        );
    }

    #[test]
    fn no_test_is_left_out_by_an_attribute() {
        let text = "#[test]\n#[ignore]\nfn a_test() {}";
        let found = violations(&[source(text)]);
        assert!(found.len() == 1 && found[0].starts_with("a.rs:2 leaves"), "{found:?}");
    }
}
