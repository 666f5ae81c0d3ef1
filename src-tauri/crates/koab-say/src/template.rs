//! Parsing of a sentence with placeholders, and of the values for the placeholders.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, Ident, LitStr, Token};

/// The input of `say!`: the sentence and its arguments.
pub(crate) struct MacroInput {
    pub(crate) text: LitStr,
    /// Name and expression of each argument. The name of a positional argument is its number.
    pub(crate) args: Vec<(String, TokenStream)>,
}

impl Parse for MacroInput {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let text: LitStr = input.parse()?;
        let mut args = Vec::new();
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            let name = if input.peek(Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]) {
                let name: Ident = input.parse()?;
                input.parse::<Token![=]>()?;
                name.to_string()
            } else {
                args.len().to_string()
            };
            let value: Expr = input.parse()?;
            args.push((name, quote!(#value)));
        }
        Ok(Self { text, args })
    }
}

/// A placeholder: its name and its format, such as `.1`.
struct Placeholder {
    name: String,
    format: String,
}

/// A parsed sentence.
pub(crate) struct Template {
    literal: LitStr,
    /// The stored text. It has each placeholder as a name in braces.
    pub(crate) text: String,
    places: Vec<Placeholder>,
}

impl Template {
    /// Parses a sentence in the syntax of `format!`.
    pub(crate) fn read(literal: &LitStr) -> syn::Result<Self> {
        let source = literal.value();
        let (mut text, mut places) = (String::new(), Vec::<Placeholder>::new());
        let mut empty = 0;
        let mut chars = source.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '{' if chars.next_if_eq(&'{').is_some() => text.push('{'),
                '}' if chars.next_if_eq(&'}').is_some() => text.push('}'),
                '{' => {
                    let inside: String = chars.by_ref().take_while(|c| *c != '}').collect();
                    let (name, format) = inside.split_once(':').unwrap_or((&inside, ""));
                    let name = if name.is_empty() {
                        empty += 1;
                        (empty - 1).to_string()
                    } else {
                        name.to_owned()
                    };
                    text.push_str(&format!("{{{name}}}"));
                    if !places.iter().any(|place| place.name == name) {
                        places.push(Placeholder { name, format: format.to_owned() });
                    }
                }
                other => text.push(other),
            }
        }
        Ok(Self { literal: literal.clone(), text, places })
    }

    /// The names of the placeholders.
    pub(crate) fn names(&self) -> Vec<String> {
        self.places.iter().map(|place| place.name.clone()).collect()
    }

    /// The expression that creates the sentence. `is_in_scope` decides which names without an
    /// argument are variables.
    pub(crate) fn message(
        &self,
        given: &MacroInput,
        is_in_scope: &dyn Fn(&str) -> bool,
    ) -> syn::Result<TokenStream> {
        let error = |said: String| syn::Error::new(self.literal.span(), said);
        if let Some((unused, _)) = given.args.iter().find(|(name, _)| !self.names().contains(name)) {
            return Err(error(format!("the sentence has no place for `{unused}`")));
        }
        let args = self.places.iter().map(|place| {
            let name = &place.name;
            let value = match given.args.iter().find(|(known, _)| known == name) {
                Some((_, value)) => value.clone(),
                None if name.parse::<usize>().is_err() && is_in_scope(name) => {
                    let variable = Ident::new(name, self.literal.span());
                    quote!(#variable)
                }
                None => return Err(error(format!("nothing is given for the place `{name}`"))),
            };
            let value = if place.format.is_empty() {
                quote!((&&&::koab_core::sentence::Of(&(#value))).arg())
            } else {
                let format = format!("{{:{}}}", place.format);
                quote!(::koab_core::sentence::Arg::Text(::std::format!(#format, #value)))
            };
            Ok(quote!((#name, { #[allow(unused_imports)] use ::koab_core::sentence::{ShownArg as _, NumberArg as _, SentenceArg as _}; #value })))
        });
        let args = args.collect::<syn::Result<Vec<_>>>()?;
        let text = &self.text;
        let entry = entry(text);
        Ok(quote!({ #entry ::koab_core::sentence::Sentence::new(#text, ::std::vec![#(#args),*]) }))
    }
}

/// Registers a sentence in the list of sentences to translate, which only tests read.
///
/// A release build registers none: each entry is code that runs when the program starts, and
/// thousands of entries would load most of the program from the disk.
pub(crate) fn entry(text: &str) -> TokenStream {
    quote! {
        #[cfg(debug_assertions)]
        const _: () = {
            ::koab_core::sentence::inventory::submit! { ::koab_core::sentence::Entry(#text) }
        };
    }
}
