//! Reads the paths that Rust code names, including the parts of `use` trees and the tokens of
//! macros.

use proc_macro2::{Spacing, Span, TokenStream, TokenTree};
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, Item, UseTree, Visibility};

/// A path of names in code.
#[derive(Debug)]
pub(super) struct Mention {
    pub(super) line: usize,
    /// Words of the path, such as `["std", "net", "TcpStream"]`. A last `*` matches any name,
    /// for a glob or a renamed import.
    pub(super) path: Vec<String>,
    /// Whether the code is compiled only for tests.
    pub(super) for_tests: bool,
    /// Whether the path is part of an import. Only then can a single word be a library or an item
    /// of a library.
    pub(super) imported: bool,
    /// Whether a `pub use` re-exports the path.
    pub(super) exported: bool,
    /// Number of modules in the file that enclose the path.
    pub(super) depth: usize,
}

impl Mention {
    /// Whether the path names this library or an item of it.
    pub(super) fn is_below(&self, library: &str) -> bool {
        self.path.first().is_some_and(|first| first == library) && (self.imported || self.path.len() > 1)
    }

    /// Whether the path contains these words, which `::` joins in `pattern`. A word with a final
    /// `*` matches every word with this start.
    pub(super) fn has(&self, pattern: &str) -> bool {
        let words: Vec<&str> = pattern.split("::").collect();
        let same = |(index, (name, word)): (usize, (&String, &&str))| match word.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => name == word || (name == "*" && index > 0),
        };
        self.path.windows(words.len()).any(|part| part.iter().zip(&words).enumerate().all(same))
    }
}

/// Reads all mentions of a file.
pub(super) fn read(code: &syn::File) -> Vec<Mention> {
    let mut reader = Reader { for_tests: false, exported: false, depth: 0, mentions: Vec::new() };
    reader.visit_file(code);
    reader.mentions
}

/// Whether an item is compiled only for tests.
pub(super) fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.meta.require_list().is_ok_and(|list| {
                let condition = list.tokens.to_string();
                condition == "test" || condition.starts_with("all (test")
            })
    })
}

struct Reader {
    /// Whether the current code is compiled only for tests.
    for_tests: bool,
    /// Whether the current code is the tree of a `pub use`.
    exported: bool,
    /// Number of modules in the file that enclose the current code.
    depth: usize,
    mentions: Vec<Mention>,
}

impl Reader {
    fn add(&mut self, span: Span, path: Vec<String>, imported: bool) {
        self.mentions.push(Mention {
            line: span.start().line,
            path,
            for_tests: self.for_tests,
            imported,
            exported: self.exported,
            depth: self.depth,
        });
    }

    fn add_imports(&mut self, tree: &UseTree, before: &[String]) {
        let below = |name: &dyn ToString| [before, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(part) => self.add_imports(&part.tree, &below(&part.ident)),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add_imports(tree, before)),
            UseTree::Name(name) if name.ident == "self" => self.add(name.span(), before.to_vec(), true),
            UseTree::Name(name) => self.add(name.span(), below(&name.ident), true),
            UseTree::Rename(name) if name.ident == "self" => self.add(name.span(), below(&"*"), true),
            UseTree::Rename(name) => {
                let path = [below(&name.ident), vec!["*".to_owned()]].concat();
                self.add(name.span(), path, true);
            }
            UseTree::Glob(glob) => self.add(glob.span(), below(&"*"), true),
        }
    }

    /// Adds the paths in a macro's tokens: words joined by `::`.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut span = Span::call_site();
        let mut joined = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(word) => {
                    if joined < 2 && !path.is_empty() {
                        self.add(span, std::mem::take(&mut path), false);
                    }
                    if path.is_empty() {
                        span = word.span();
                    }
                    path.push(word.to_string());
                    joined = 0;
                }
                TokenTree::Punct(mark)
                    if mark.as_char() == ':' && (joined == 1 || mark.spacing() == Spacing::Joint) =>
                {
                    joined += 1;
                }
                other => {
                    if !path.is_empty() {
                        self.add(span, std::mem::take(&mut path), false);
                    }
                    joined = 0;
                    if let TokenTree::Group(group) = other {
                        self.add_tokens(group.stream());
                    }
                }
            }
        }
        if !path.is_empty() {
            self.add(span, path, false);
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        let around = self.for_tests;
        self.for_tests |= is_for_tests(attributes_of(item));
        visit::visit_item(self, item);
        self.for_tests = around;
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let attributes = match item {
            ImplItem::Fn(function) => &function.attrs[..],
            _ => &[],
        };
        let around = self.for_tests;
        self.for_tests |= is_for_tests(attributes);
        visit::visit_impl_item(self, item);
        self.for_tests = around;
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.exported = !matches!(item.vis, Visibility::Inherited);
        self.add_imports(&item.tree, &[]);
        self.exported = false;
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.depth += 1;
        visit::visit_item_mod(self, item);
        self.depth -= 1;
    }

    fn visit_item_extern_crate(&mut self, item: &'ast syn::ItemExternCrate) {
        self.add(item.span(), vec![item.ident.to_string(), "*".to_owned()], true);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let words = path.segments.iter().map(|part| part.ident.to_string());
        self.add(path.span(), words.collect(), false);
        visit::visit_path(self, path);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.add(call.method.span(), vec![call.method.to_string()], false);
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.add_tokens(call.tokens.clone());
        visit::visit_macro(self, call);
    }

    fn visit_meta_list(&mut self, list: &'ast syn::MetaList) {
        self.add_tokens(list.tokens.clone());
        visit::visit_meta_list(self, list);
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        if let Some(word) = &signature.asyncness {
            self.add(word.span, vec!["async".to_owned()], false);
        }
        visit::visit_signature(self, signature);
    }

    fn visit_expr_async(&mut self, block: &'ast syn::ExprAsync) {
        self.add(block.async_token.span, vec!["async".to_owned()], false);
        visit::visit_expr_async(self, block);
    }
}

fn attributes_of(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Vec<String> {
        let mentions = read(&syn::parse_file(text).unwrap());
        mentions.iter().map(|mention| mention.path.join("::")).collect()
    }

    #[test]
    fn every_way_to_name_something_is_found() {
        for (text, expected) in [
            ("use a::{b::{self, C}, d as e, f::*};", &["a::b", "a::b::C", "a::d::*", "a::f::*"][..]),
            ("extern crate a as b;", &["a::*"]),
            ("type T = ::a::B<c::D>;", &["a::B", "c::D"]),
            ("fn f() { x.call(y::Z) }", &["call", "x", "y::Z"]),
            ("fn f() { show!(\"a::b\", c::D::new(), e: f) }", &["c::D::new", "e", "f", "show"]),
            ("#[a::b(c::d)] fn f() {}", &["c::d", "a::b"]),
            ("async fn f() {}", &["async"]),
        ] {
            let mut found = paths(text);
            let mut expected = expected.to_vec();
            found.sort();
            expected.sort_unstable();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn patterns_match_whole_words_and_globs() {
        let mention = |path: &str| Mention {
            line: 1,
            path: path.split("::").map(str::to_owned).collect(),
            for_tests: false,
            imported: false,
            exported: false,
            depth: 0,
        };
        for (path, pattern, expected) in [
            ("tokio::net::TcpStream::connect", "net::TcpStream", true),
            ("tokio::net::*", "net::TcpStream", true),
            ("tokio::net", "net::TcpStream", false),
            ("reqwest::ClientError", "reqwest::Client", false),
            ("Docker::connect_with_http", "connect_with_*", true),
            ("super::*", "open_url", false),
        ] {
            assert_eq!(mention(path).has(pattern), expected, "{path} {pattern}");
        }
    }

    #[test]
    fn what_is_only_for_tests_is_told_apart_wherever_it_stands() {
        let text = "mod a { #[cfg(test)] mod tests { use b::C; } fn f() { d::e() } } #[cfg(test)] use g::h; use i::j;";
        let mentions = read(&syn::parse_file(text).unwrap());
        let shipped = mentions.iter().filter(|mention| !mention.for_tests);
        let paths: Vec<_> = shipped.map(|mention| mention.path.join("::")).collect();
        assert_eq!(paths, ["d::e", "i::j"]);
    }
}
