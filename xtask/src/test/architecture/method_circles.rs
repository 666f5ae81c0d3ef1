//! Finds circles of files in a crate that depend on each other through methods of one struct, which
//! imports do not show, and structs with too many methods.
//!
//! A struct may have its methods in several files. A file depends on another file if it calls a
//! method of that file as `self.method()`.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{ImplItem, Item, ItemImpl, Type};

use super::circles::circles_of;
use super::mentions::is_for_tests;
use super::source::Source;
use super::sources::is_test_file;

/// Methods of one struct, and the methods that each file of the struct calls on `self`.
#[derive(Default)]
struct Methods<'a> {
    /// File that defines each method.
    home: BTreeMap<String, &'a str>,
    /// Methods that each file calls on `self`.
    called: BTreeMap<&'a str, BTreeSet<String>>,
}

/// Maximum number of methods of one struct.
const MAX_METHODS: usize = 120;

/// Returns one sentence about each circle of files and each struct with too many methods.
pub(super) fn violations(sources: &[Source]) -> Vec<String> {
    let mut violations = Vec::new();
    for ((package, owner), methods) in &methods_of(sources) {
        let count = methods.home.len();
        if count > MAX_METHODS {
            violations.push(format!(
                "{package}: {owner} may have {MAX_METHODS} methods (invariant 11), make helpers functions: {count}"
            ));
        }
        for circle in circles_of(&methods.needs()) {
            let files: Vec<&str> = circle.into_iter().collect();
            violations.push(format!(
                "{package}: files need each other by methods of {owner} (invariant 11): {}",
                files.join(", ")
            ));
        }
    }
    violations
}

/// Methods of every struct, by crate and struct.
fn methods_of(sources: &[Source]) -> BTreeMap<(&str, String), Methods<'_>> {
    let mut structs: BTreeMap<(&str, String), Methods<'_>> = BTreeMap::new();
    for source in sources.iter().filter(|source| !is_test_file(&source.name)) {
        let Some((folder, file)) = source.name.split_once("/src/") else {
            continue;
        };
        let package = folder.rsplit('/').next().unwrap_or(folder);
        for block in blocks(&source.code.items) {
            let Some(owner) = owner(block) else { continue };
            let methods = structs.entry((package, owner)).or_default();
            for item in &block.items {
                if let ImplItem::Fn(method) = item {
                    methods.home.insert(method.sig.ident.to_string(), file);
                }
            }
            add_calls(block.to_token_stream(), methods.called.entry(file).or_default());
        }
    }
    structs
}

/// Items that are `impl` blocks, belong to no test and implement no trait.
fn blocks(items: &[Item]) -> Vec<&ItemImpl> {
    let blocks = items.iter().flat_map(|item| match item {
        Item::Impl(block) if block.trait_.is_none() && !is_for_tests(&block.attrs) => vec![block],
        Item::Mod(module) if !is_for_tests(&module.attrs) => {
            module.content.as_ref().map_or_else(Vec::new, |(_, items)| blocks(items))
        }
        _ => Vec::new(),
    });
    blocks.collect()
}

/// Name of a block's struct.
fn owner(block: &ItemImpl) -> Option<String> {
    match &*block.self_ty {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    }
}

/// Adds every `self.method(` of a block, also inside macros.
fn add_calls(tokens: TokenStream, called: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            add_calls(group.stream(), called);
        }
        if let [TokenTree::Ident(this), TokenTree::Punct(dot), TokenTree::Ident(method), next, ..] =
            &tokens[index..]
            && *this == "self"
            && dot.as_char() == '.'
            && is_call(next)
        {
            called.insert(method.to_string());
        }
    }
}

/// Whether the token after a name makes the name a call. The token is then an argument list or the
/// start of type arguments.
fn is_call(next: &TokenTree) -> bool {
    match next {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Parenthesis,
        TokenTree::Punct(mark) => mark.as_char() == ':',
        _ => false,
    }
}

impl<'a> Methods<'a> {
    /// Files that each file depends on, because it calls their methods.
    fn needs(&self) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
        let needs = self.called.iter().map(|(file, called)| {
            let homes = called.iter().filter_map(|method| self.home.get(method));
            (*file, homes.copied().filter(|home| home != file).collect())
        });
        needs.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ends of the violations in files of a crate `k`: the files of a circle, or a number of methods.
    fn circles(files: &[(&str, &str)]) -> Vec<String> {
        let source = |(name, text): &(&str, &str)| Source {
            name: format!("src-tauri/crates/k/src/{name}.rs"),
            code: syn::parse_file(text).unwrap(),
        };
        let sources: Vec<Source> = files.iter().map(source).collect();
        let named = |line: String| line.rsplit(": ").next().unwrap_or_default().to_owned();
        violations(&sources).into_iter().map(named).collect()
    }

    #[test]
    fn a_struct_with_too_many_methods_is_found() {
        let block = |count: usize| {
            let methods = (0..count).map(|number| format!("fn f{number}(&self) {{}}"));
            format!("impl S {{ {} }}", methods.collect::<String>())
        };
        assert_eq!(circles(&[("a", &block(MAX_METHODS))]), Vec::<String>::new());
        assert_eq!(circles(&[("a", &block(MAX_METHODS)), ("b", "impl S { fn g(&self) {} }")]), ["121"]);
    }

    #[test]
    fn files_that_need_each_other_by_methods_are_found() {
        let a = "impl S { fn f(&self) { self.g() } }";
        for (b, expected) in [
            ("impl S { fn g(&self) { self.f() } }", &["a.rs, b.rs"][..]),
            ("impl S { fn g(&self) { say!(\"{}\", self.f()) } }", &["a.rs, b.rs"]),
            ("impl S { fn g(&self) { self.f::<u8>() } }", &["a.rs, b.rs"]),
            ("mod m { impl S { fn g(&self) { self.f() } } }", &["a.rs, b.rs"]),
            // A field, a method of a field, another struct, its own method, a trait's, a test.
            ("impl S { fn g(&self) { self.f; self.s.f() } }", &[]),
            ("impl S { fn g(&self) {} } impl T { fn h(&self) { self.f() } }", &[]),
            ("impl S { fn g(&self) { self.h() } fn h(&self) {} }", &[]),
            ("impl S { fn g(&self) {} } impl D for S { fn d(&self) { self.f() } }", &[]),
            ("impl S { fn g(&self) {} } #[cfg(test)] mod t { impl S { fn h(&self) { self.f() } } }", &[]),
        ] {
            assert_eq!(circles(&[("a", a), ("b", b)]), expected, "{b}");
        }
    }
}
