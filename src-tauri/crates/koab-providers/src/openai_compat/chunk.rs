//! What a server may send, typed as loosely as servers are.
//!
//! A streamed event and a plain answer have the same shape but for `delta` and `message`, so one type reads both.
//! Fields nobody needs are skipped unread; fields that servers disagree on are kept as they came.

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
    pub(super) choices: Option<First<'a>>,
    #[serde(default)]
    pub(super) usage: Option<Value>,
    #[serde(default)]
    pub(super) error: Option<Value>,
}

/// The first choice of a list. One is asked for, and others are not even kept in memory.
#[derive(Debug)]
pub(super) struct First<'a>(pub(super) Option<Choice<'a>>);

impl<'de: 'a, 'a> Deserialize<'de> for First<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct List<'a>(PhantomData<&'a ()>);

        impl<'de: 'a, 'a> Visitor<'de> for List<'a> {
            type Value = First<'a>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of choices")
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
    /// A piece, in a stream.
    #[serde(borrow, default)]
    pub(super) delta: Option<Delta<'a>>,
    /// The whole, in a plain answer.
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
}

impl Delta<'_> {
    /// Whether the model thinks aloud here. The text itself is not part of the answer.
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
    /// Whatever else; it holds no text.
    Other(IgnoredAny),
}

impl Content<'_> {
    /// Whether it is text, if only the empty one.
    pub(super) fn is_text(&self) -> bool {
        !matches!(self, Content::Other(_))
    }

    /// Calls `take` with every piece of text that is not empty.
    pub(super) fn for_each_text(&self, mut take: impl FnMut(&str)) {
        match self {
            Content::Text(text) if !text.is_empty() => take(text),
            Content::Parts(parts) => {
                let texts = parts
                    .iter()
                    .filter_map(|part| part.as_str().or_else(|| part.get("text")?.as_str()));
                texts.filter(|text| !text.is_empty()).for_each(take);
            }
            Content::Text(_) | Content::Other(_) => {}
        }
    }
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
}

#[derive(Deserialize, Debug, Default)]
struct FunctionFragment {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    arguments: Option<Value>,
}

impl CallFragment {
    pub(super) fn index(&self) -> Option<u64> {
        self.index.as_ref()?.as_u64()
    }

    /// The id, when there is one that says something.
    pub(super) fn id(&self) -> Option<Cow<'_, str>> {
        match self.id.as_ref()? {
            Value::String(id) if !id.is_empty() => Some(Cow::Borrowed(id)),
            Value::Number(id) => Some(Cow::Owned(id.to_string())),
            _ => None,
        }
    }

    pub(super) fn name(&self) -> Option<&str> {
        self.function
            .as_ref()?
            .name
            .as_deref()
            .filter(|name| !name.is_empty())
    }

    /// The arguments as text: the fragment itself, or an object serialized.
    pub(super) fn arguments(&self) -> Option<Cow<'_, str>> {
        match self.function.as_ref()?.arguments.as_ref()? {
            Value::Null => None,
            Value::String(text) => (!text.is_empty()).then_some(Cow::Borrowed(text)),
            value => Some(Cow::Owned(value.to_string())),
        }
    }
}
