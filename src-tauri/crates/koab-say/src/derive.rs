//! Implementation of `derive(Say)`, which creates a sentence for each variant of an error.

use crate::template::{MacroInput, Template};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::{Attribute, Data, DeriveInput, Fields};

pub(crate) fn expand(input: &DeriveInput) -> syn::Result<TokenStream> {
    let name = &input.ident;
    let arms = match &input.data {
        Data::Enum(data) => data
            .variants
            .iter()
            .map(|variant| arm(&variant.attrs, &variant.fields, &variant.ident, quote!(Self::)))
            .collect::<syn::Result<Vec<_>>>()?,
        Data::Struct(data) => vec![arm(&input.attrs, &data.fields, name, TokenStream::new())?],
        Data::Union(_) => return Err(syn::Error::new(name.span(), "a union says nothing")),
    };
    let (impls, types, wheres) = input.generics.split_for_impl();
    let is_error = |attribute: &Attribute| attribute.path().is_ident("error");
    let has_error = match &input.data {
        Data::Enum(data) => data.variants.iter().any(|variant| variant.attrs.iter().any(is_error)),
        _ => input.attrs.iter().any(is_error),
    };
    let display = (!has_error).then(|| {
        quote! {
            impl #impls ::std::fmt::Display for #name #types #wheres {
                fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                    ::std::fmt::Display::fmt(&::koab_core::sentence::ToSentence::to_sentence(self), f)
                }
            }
        }
    });
    Ok(quote! {
        #[automatically_derived]
        impl #impls ::koab_core::sentence::ToSentence for #name #types #wheres {
            #[allow(unused_variables, clippy::used_underscore_binding)]
            fn to_sentence(&self) -> ::koab_core::sentence::Sentence {
                match self { #(#arms)* }
            }
        }
        #[automatically_derived]
        impl #impls ::std::convert::From<#name #types> for ::koab_core::sentence::Sentence #wheres {
            fn from(said: #name #types) -> Self {
                ::koab_core::sentence::ToSentence::to_sentence(&said)
            }
        }
        #display
    })
}

fn arm(attrs: &[Attribute], fields: &Fields, name: &Ident, path: TokenStream) -> syn::Result<TokenStream> {
    let attribute = attrs
        .iter()
        .find(|attribute| attribute.path().is_ident("error") || attribute.path().is_ident("say"))
        .ok_or_else(|| {
            syn::Error::new(name.span(), "this has no sentence; write #[say(\"…\")] or #[error(\"…\")]")
        })?;
    let tokens: TokenStream = attribute.parse_args()?;
    let (pattern, names) = pattern(fields);
    if tokens.to_string() == "transparent" {
        return Ok(quote!(#path #name #pattern => {
            #[allow(unused_imports)]
            use ::koab_core::sentence::{SentenceArg as _, NumberArg as _, ShownArg as _};
            (&&&::koab_core::sentence::Of(_0)).arg().into_sentence()
        }));
    }
    let input: MacroInput = syn::parse2(with_fields(tokens, true))?;
    let template = Template::read(&input.text)?;
    let input = MacroInput {
        args: input
            .args
            .into_iter()
            .chain(
                names
                    .iter()
                    .filter_map(|(place, variable)| {
                        let is_number = place.parse::<usize>().is_ok();
                        is_number.then(|| (place.clone(), quote!(#variable)))
                    })
                    .filter(|(place, _)| template.names().contains(place)),
            )
            .fold(Vec::new(), |mut all: Vec<(String, TokenStream)>, (place, value)| {
                if !all.iter().any(|(known, _)| *known == place) {
                    all.push((place, value));
                }
                all
            }),
        text: input.text,
    };
    let message = template.message(&input, &|place| {
        // A constant is in scope everywhere.
        let is_constant = place.chars().all(|c| c.is_ascii_uppercase() || c == '_');
        is_constant || names.iter().any(|(known, _)| known == place)
    })?;
    // A template of one placeholder alone is replaced by its value.
    let message = match &template.names()[..] {
        [only] if template.text == format!("{{{only}}}") => {
            let value = input.args.iter().find(|(place, _)| place == only).map_or_else(
                || {
                    let variable = Ident::new(only, Span::call_site());
                    quote!(#variable)
                },
                |(_, value)| value.clone(),
            );
            quote!({
                #[allow(unused_imports)]
                use ::koab_core::sentence::{SentenceArg as _, NumberArg as _, ShownArg as _};
                (&&&::koab_core::sentence::Of(&(#value))).arg().into_sentence()
            })
        }
        _ => message,
    };
    Ok(quote!(#path #name #pattern => #message))
}

/// The pattern that destructures a variant, and the variable of each placeholder by name or number.
fn pattern(fields: &Fields) -> (TokenStream, Vec<(String, Ident)>) {
    match fields {
        Fields::Unit => (TokenStream::new(), Vec::new()),
        Fields::Unnamed(fields) => {
            let names: Vec<Ident> = (0..fields.unnamed.len()).map(|at| format_ident!("_{at}")).collect();
            let variables =
                names.iter().enumerate().map(|(at, name)| (at.to_string(), name.clone())).collect();
            (quote!((#(#names),*)), variables)
        }
        Fields::Named(fields) => {
            let names: Vec<Ident> = fields.named.iter().filter_map(|field| field.ident.clone()).collect();
            let variables = names.iter().map(|name| (name.to_string(), name.clone())).collect();
            (quote!({ #(#names),* }), variables)
        }
    }
}

/// Replaces `.0` and `.name` by the variables of the fields, as in `thiserror`, unless an
/// expression precedes the dot. `begins`: whether an expression may begin with the first token.
fn with_fields(tokens: TokenStream, begins: bool) -> TokenStream {
    let mut output = TokenStream::new();
    let mut is_start = begins;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let next = match (&token, tokens.peek()) {
            (TokenTree::Punct(dot), Some(TokenTree::Ident(field))) if dot.as_char() == '.' && is_start => {
                Some(field.clone())
            }
            (TokenTree::Punct(dot), Some(TokenTree::Literal(at))) if dot.as_char() == '.' && is_start => {
                Some(Ident::new(&format!("_{at}"), at.span()))
            }
            _ => None,
        };
        if let Some(field) = next {
            tokens.next();
            output.extend([TokenTree::Ident(field)]);
            is_start = false;
            continue;
        }
        is_start = matches!(&token, TokenTree::Punct(punct) if ",=!&*+-/".contains(punct.as_char()));
        output.extend([match token {
            TokenTree::Group(group) if group.delimiter() != Delimiter::Brace => {
                let mut inner = Group::new(group.delimiter(), with_fields(group.stream(), true));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            other => other,
        }]);
    }
    output
}
