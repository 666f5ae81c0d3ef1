//! Macros that create the sentences of `koab_core::sentence`.
//!
//! A sentence stores the English text with its placeholders and their values, so that it can be
//! rendered in any language later. [`say!`] has the syntax of `format!` and creates a sentence.
//! `derive(Say)` creates a sentence for each variant of an error, from the same `#[error("…")]`
//! that `thiserror` reads.

mod derive;
mod template;

use proc_macro::TokenStream;
use quote::quote;
use syn::punctuated::Punctuated;
use syn::{LitStr, Token, parse_macro_input};
use template::{MacroInput, Template};

/// Creates a `koab_core::sentence::Sentence` from a text with placeholders: `say!("no run {run} is
/// under way")`.
///
/// Placeholders and arguments are those of `format!`, but without empty placeholders. An argument
/// that is itself a sentence stays a sentence, a whole number stays a number, and any other value
/// is formatted by its `Display`.
#[proc_macro]
pub fn say(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as MacroInput);
    sentence(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// A sentence without placeholders as `&'static str`, registered in the list of sentences to
/// translate.
///
/// `Language::text` translates the sentence. An optional second argument, a note, distinguishes it
/// from another sentence with the same English text: `text!("Run", "a day")`.
#[proc_macro]
pub fn text(input: TokenStream) -> TokenStream {
    let parts = parse_macro_input!(input with Punctuated::<LitStr, Token![,]>::parse_separated_nonempty);
    let parts: Vec<String> = parts.iter().map(LitStr::value).collect();
    let text = parts.join("\u{4}");
    let entry = template::entry(&text);
    quote!({ #entry #text }).into()
}

/// Implements `ToSentence` for an error of `thiserror`, from its `#[error("…")]`. If a variant has
/// `#[say("…")]` instead of `#[error("…")]`, the macro also implements `Display`.
#[proc_macro_derive(Say, attributes(say, error, source, from))]
pub fn derive_say(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as syn::DeriveInput);
    derive::expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

fn sentence(input: &MacroInput) -> syn::Result<proc_macro2::TokenStream> {
    let template = Template::read(&input.text)?;
    let names = template.names();
    template.message(input, &|name| names.contains(&name.to_owned()))
}
