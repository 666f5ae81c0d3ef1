//! Events of a server, with types that accept the variations of servers.
//!
//! A streamed event and a plain answer have the same shape except for `delta` and `message`, so one
//! type parses both. Fields that are not needed are skipped. Fields that servers disagree about are
//! kept as JSON values.

use crate::http::size;
use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// One streamed event, or a whole answer.
#[derive(Deserialize, Debug, Default)]
pub(super) struct Chunk<'a> {
    #[serde(borrow, default)]
    pub(super) choices: Option<First<Choice<'a>>>,
    #[serde(default)]
    pub(super) usage: Option<Value>,
    #[serde(default)]
    pub(super) error: Option<Value>,
}

/// The first entry of a list. One choice is requested, and others are not even kept in memory.
#[derive(Debug)]
pub(super) struct First<T>(pub(super) Option<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for First<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct List<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for List<T> {
            type Value = First<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let first = list.next_element()?;
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(First(first))
            }
        }

        from.deserialize_seq(List(PhantomData))
    }
}

#[derive(Deserialize, Debug, Default)]
pub(super) struct Choice<'a> {
    /// Index of the choice.
    #[serde(default)]
    pub(super) index: Option<Value>,
    /// A piece, in a stream.
    #[serde(borrow, default)]
    pub(super) delta: Option<Delta<'a>>,
    /// The whole message, in a plain answer.
    #[serde(borrow, default)]
    pub(super) message: Option<Delta<'a>>,
    #[serde(default)]
    pub(super) finish_reason: Option<Value>,
    #[serde(default)]
    pub(super) error: Option<Value>,
}

#[derive(Deserialize, Debug, Default)]
pub(super) struct Delta<'a> {
    #[serde(borrow, default)]
    pub(super) content: Option<Content<'a>>,
    #[serde(default)]
    reasoning: Option<Value>,
    #[serde(default)]
    reasoning_content: Option<Value>,
    #[serde(default)]
    pub(super) reasoning_details: Option<Value>,
    #[serde(default)]
    pub(super) refusal: Option<Value>,
    #[serde(default)]
    pub(super) tool_calls: Option<Vec<CallFragment>>,
    /// The field that `tool_calls` replaced, which old servers still use.
    #[serde(default)]
    pub(super) function_call: Option<LegacyCall>,
}

impl Delta<'_> {
    /// The calls, or pieces of them, that are not empty.
    pub(super) fn calls(&self) -> impl Iterator<Item = &CallFragment> {
        let legacy = self.function_call.iter().map(|LegacyCall(call)| call);
        let calls = self.tool_calls.iter().flatten().chain(legacy);
        calls.filter(|call| call.says_something())
    }

    /// Whether the piece contains reasoning. The text of the reasoning is not part of the answer.
    pub(super) fn reasons(&self) -> bool {
        let says = |value: &Option<Value>| match value {
            Some(Value::String(text)) => !text.is_empty(),
            Some(Value::Array(parts)) => !parts.is_empty(),
            _ => false,
        };
        says(&self.reasoning) || says(&self.reasoning_content) || says(&self.reasoning_details)
    }
}

/// Text, or text in parts.
#[derive(Deserialize, Debug)]
#[serde(untagged)]
pub(super) enum Content<'a> {
    Text(#[serde(borrow)] Cow<'a, str>),
    Parts(Vec<Value>),
    /// Any other value, which contains no text.
    Other(IgnoredAny),
}

impl Content<'_> {
    /// Whether the content is text, even an empty one.
    pub(super) fn is_text(&self) -> bool {
        !matches!(self, Content::Other(_))
    }

    /// All text of the content, joined.
    pub(super) fn to_text(&self) -> Cow<'_, str> {
        match self {
            Content::Text(text) => Cow::Borrowed(text),
            _ => {
                let mut whole = String::new();
                self.for_each_text(|text| whole.push_str(text));
                Cow::Owned(whole)
            }
        }
    }

    /// Calls `take` with every piece of text that is not empty.
    pub(super) fn for_each_text(&self, mut take: impl FnMut(&str)) {
        match self {
            Content::Text(text) if !text.is_empty() => take(text),
            Content::Parts(parts) => {
                let texts = parts
                    .iter()
                    .filter(|part| !is_thought(part))
                    .filter_map(|part| part.as_str().or_else(|| part.get("text")?.as_str()));
                texts.filter(|text| !text.is_empty()).for_each(take);
            }
            Content::Text(_) | Content::Other(_) => {}
        }
    }
}

/// Whether a part of a content is reasoning, not answer.
fn is_thought(part: &Value) -> bool {
    let kind = part.get("type").and_then(Value::as_str).unwrap_or_default();
    ["reason", "think", "thought"].iter().any(|word| kind.contains(word))
}

/// A tool call or a piece of one.
#[derive(Deserialize, Debug, Default)]
pub(super) struct CallFragment {
    #[serde(default)]
    index: Option<Value>,
    #[serde(default)]
    id: Option<Value>,
    #[serde(default)]
    function: Option<FunctionFragment>,
    #[serde(default)]
    pub(super) extra_content: Option<Value>,
    /// Whether the fragment came as a `function_call`.
    #[serde(skip)]
    pub(super) is_legacy: bool,
}

#[derive(Deserialize, Debug, Default)]
struct FunctionFragment {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    arguments: Option<Value>,
}

/// A `function_call`, which is a call without index and id.
#[derive(Debug)]
pub(super) struct LegacyCall(pub(super) CallFragment);

impl<'de> Deserialize<'de> for LegacyCall {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Self(CallFragment {
            function: Some(FunctionFragment::deserialize(from)?),
            is_legacy: true,
            ..CallFragment::default()
        }))
    }
}

impl CallFragment {
    /// Index among the calls of the turn; some servers write the number as text.
    pub(super) fn index(&self) -> Option<u64> {
        match self.index.as_ref()? {
            Value::String(text) => text.trim().parse().ok(),
            value => value.as_u64(),
        }
    }

    /// Approximate size of the fragment in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        let texts = [self.id(), self.name().map(Cow::Borrowed), self.arguments()];
        let texts = texts.iter().flatten().map(|text| text.len());
        size_of::<Self>() + texts.sum::<usize>() + self.extra_content.as_ref().map_or(0, size)
    }

    /// Whether the fragment has an id, a name or arguments.
    pub(super) fn says_something(&self) -> bool {
        let has_arguments = || self.arguments().is_some_and(|text| !text.is_empty());
        self.id().is_some() || self.name().is_some() || has_arguments()
    }

    /// The id, if it is not empty.
    pub(super) fn id(&self) -> Option<Cow<'_, str>> {
        match self.id.as_ref()? {
            Value::String(id) if !id.is_empty() => Some(Cow::Borrowed(id)),
            Value::Number(id) => Some(Cow::Owned(id.to_string())),
            _ => None,
        }
    }

    pub(super) fn name(&self) -> Option<&str> {
        self.function.as_ref()?.name.as_deref().filter(|name| !name.is_empty())
    }

    /// The arguments as text: the fragment itself, or a serialized object. `None` if the server
    /// sent none; an empty text counts as sent.
    pub(super) fn arguments(&self) -> Option<Cow<'_, str>> {
        match self.function.as_ref()?.arguments.as_ref()? {
            Value::Null => None,
            Value::String(text) => Some(Cow::Borrowed(text)),
            value => Some(Cow::Owned(value.to_string())),
        }
    }
}
