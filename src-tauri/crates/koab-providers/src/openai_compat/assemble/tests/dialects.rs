//! One answer in every dialect of Chat Completions that servers are known to speak comes out as the
//! same answer.
//!
//! `KOAB_HISTORIES` asks for more of them, `KOAB_TEST_SEED` for others.

use super::*;
use proptest::sample::select;
use serde_json::Map;

/// Answers in an ordinary test run.
const ANSWERS: u32 = 4_000;

/// Tools whose names begin like each other's.
const TOOLS: [&str; 4] = ["Now", "Search", "Search_naver", "Web.Search"];

#[derive(Clone, Debug)]
struct Said {
    text: String,
    calls: Vec<(&'static str, Map<String, Value>)>,
}

/// What an index says.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Index {
    Place,
    PlaceFromOne,
    PlaceAsText,
    Zero,
    Null,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Id {
    OfCall,
    /// With every piece.
    OfCallAlways,
    NewEachPiece,
    Same,
    Empty,
    Null,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Name {
    First,
    EachPiece,
    InPieces,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Arguments {
    Whole,
    Object,
    Pieces,
    /// Behind an empty text, as OpenAI does.
    EmptyThenPieces,
    /// Behind an empty object.
    BracesThenPieces,
    /// Null where there are none.
    NullOrWhole,
}

/// What comes behind the pieces.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Again {
    Nothing,
    /// A piece that says nothing new.
    EmptyPiece,
    /// The arguments of the last call.
    Arguments,
    /// All of it, as a message.
    Message,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Stream,
    /// All calls of the turn in one event.
    OneEvent,
    /// The pieces of all calls in turns.
    Mixed,
    Plain,
    FunctionCall,
}

#[derive(Clone, Debug)]
struct Dialect {
    index: Index,
    id: Id,
    name: Name,
    arguments: Arguments,
    again: Again,
    form: Form,
    /// Bytes of a piece.
    size: usize,
}

impl Dialect {
    /// Whether an answer can be told in it at all.
    fn can_tell(&self, said: &Said) -> bool {
        let is_placed = matches!(self.index, Index::Place | Index::PlaceFromOne | Index::PlaceAsText);
        let is_named = matches!(self.id, Id::OfCall | Id::OfCallAlways);
        let is_plain = self.form == Form::Plain;
        let is_new = self.id == Id::NewEachPiece;
        let has_twins = said.calls.windows(2).any(|pair| pair[0] == pair[1]);
        let is_same_tool = said.calls.windows(2).any(|pair| pair[0].0 == pair[1].0);
        let has_silent = self.arguments == Arguments::NullOrWhole
            && said.calls.iter().any(|(_, arguments)| arguments.is_empty());
        let untold = [
            self.form == Form::FunctionCall && said.calls.len() > 1,
            // Only an index says which call goes on: a new id may be one of a server that has a new one for every piece.
            self.form == Form::Mixed && !is_placed,
            // Half a name behind a whole call is another one only where something else says so.
            self.name == Name::InPieces && !is_placed && !is_named && said.calls.len() > 1,
            // No server cuts names and gives each half an id of its own.
            self.name == Name::InPieces && is_new,
            // A call that is repeated and one that is made twice are the same then, and so are a name that is repeated and a
            // call without arguments.
            has_twins && !is_plain && !is_placed && !is_named && !is_new,
            has_silent && is_same_tool && !is_plain && !is_placed,
            has_silent && self.name == Name::InPieces && !is_plain && !is_placed,
            // An empty object may be a call's arguments, once more.
            self.arguments == Arguments::BracesThenPieces
                && is_same_tool
                && self.id == Id::Same
                && !is_placed,
            // A repetition that names its tool is known by its id, one that does not by its place.
            self.again == Again::Arguments && self.name != Name::First && !is_named && self.id != Id::Same,
            self.again == Again::Arguments
                && self.name == Name::First
                && self.form == Form::Mixed
                && !is_placed
                && !is_named,
            self.again == Again::Arguments && is_new,
            self.again == Again::EmptyPiece && is_new && !is_placed,
            is_new
                && self.arguments == Arguments::EmptyThenPieces
                && matches!(self.index, Index::Null | Index::None),
        ];
        !untold.contains(&true)
    }

    fn put(&self, piece: &mut Map<String, Value>, call: usize, number: usize) {
        let place = json!(call);
        let index = match self.index {
            Index::Place => Some(place),
            Index::PlaceFromOne => Some(json!(call + 1)),
            Index::PlaceAsText => Some(call.to_string().into()),
            Index::Zero => Some(json!(0)),
            Index::Null => Some(Value::Null),
            Index::None => None,
        };
        piece.extend(index.map(|index| ("index".to_owned(), index)));
        let id = match self.id {
            Id::OfCall => (number == 0).then(|| format!("call_{call}").into()),
            Id::OfCallAlways => Some(format!("call_{call}").into()),
            Id::NewEachPiece => Some(format!("piece_{call}_{number}").into()),
            Id::Same => Some("call_0".into()),
            Id::Empty => Some("".into()),
            Id::Null => Some(Value::Null),
            Id::None => None,
        };
        piece.extend(id.map(|id| ("id".to_owned(), id)));
    }

    /// The pieces of one call.
    fn pieces(&self, call: usize, (tool, arguments): &(&str, Map<String, Value>)) -> Vec<Value> {
        let text = Value::Object(arguments.clone()).to_string();
        let cut = || -> Vec<Value> {
            let letters: Vec<char> = text.chars().collect();
            letters.chunks(self.size).map(|piece| piece.iter().collect::<String>().into()).collect()
        };
        let arguments: Vec<Value> = match self.arguments {
            Arguments::Whole => vec![text.into()],
            Arguments::Object => vec![Value::Object(arguments.clone())],
            Arguments::Pieces => cut(),
            Arguments::EmptyThenPieces => [vec!["".into()], cut()].concat(),
            Arguments::BracesThenPieces if self.name == Name::EachPiece => cut(),
            Arguments::BracesThenPieces => [vec![json!({})], cut()].concat(),
            Arguments::NullOrWhole if arguments.is_empty() => vec![Value::Null],
            Arguments::NullOrWhole => vec![text.into()],
        };
        let mut functions: Vec<Map<String, Value>> = Vec::new();
        if self.name == Name::InPieces {
            let (head, tail) = tool.split_at(tool.len() / 2);
            functions.extend([head, tail].map(|name| Map::from_iter([("name".to_owned(), name.into())])));
        }
        for (number, arguments) in arguments.into_iter().enumerate() {
            let mut function = Map::from_iter([("arguments".to_owned(), arguments)]);
            if self.name == Name::EachPiece || (self.name == Name::First && number == 0) {
                function.insert("name".to_owned(), (*tool).into());
            }
            functions.push(function);
        }
        let piece = |(number, function): (usize, Map<String, Value>)| {
            let mut piece = Map::from_iter([("function".to_owned(), function.into())]);
            self.put(&mut piece, call, number);
            Value::Object(piece)
        };
        functions.into_iter().enumerate().map(piece).collect()
    }

    /// A call as a whole.
    fn whole(&self, call: usize, (tool, arguments): &(&str, Map<String, Value>)) -> Value {
        let arguments = match self.arguments {
            Arguments::Object => Value::Object(arguments.clone()),
            Arguments::NullOrWhole if arguments.is_empty() => Value::Null,
            _ => Value::Object(arguments.clone()).to_string().into(),
        };
        let mut whole =
            Map::from_iter([("function".to_owned(), json!({ "name": tool, "arguments": arguments }))]);
        self.put(&mut whole, call, 0);
        Value::Object(whole)
    }

    fn message(&self, said: &Said) -> Value {
        let calls: Vec<Value> =
            said.calls.iter().enumerate().map(|(at, call)| self.whole(at, call)).collect();
        json!({ "role": "assistant", "content": said.text, "tool_calls": calls })
    }

    /// The choices of all events.
    fn choices(&self, said: &Said) -> Vec<Value> {
        if self.form == Form::Plain {
            return vec![json!({ "message": self.message(said), "finish_reason": "stop" })];
        }
        let letters: Vec<char> = said.text.chars().collect();
        let texts =
            letters.chunks(self.size).map(|piece| json!({ "content": piece.iter().collect::<String>() }));
        let mut deltas: Vec<Value> = texts.collect();
        let mut of_calls: Vec<Vec<Value>> =
            said.calls.iter().enumerate().map(|(at, call)| self.pieces(at, call)).collect();
        match self.form {
            Form::OneEvent => deltas.push(json!({ "tool_calls": of_calls.concat() })),
            Form::Mixed => {
                while of_calls.iter().any(|pieces| !pieces.is_empty()) {
                    for pieces in of_calls.iter_mut().filter(|pieces| !pieces.is_empty()) {
                        deltas.push(json!({ "tool_calls": [pieces.remove(0)] }));
                    }
                }
            }
            Form::FunctionCall => {
                let pieces = of_calls.concat();
                deltas.extend(pieces.iter().map(|piece| json!({ "function_call": piece["function"] })));
            }
            _ => deltas.extend(of_calls.concat().iter().map(|piece| json!({ "tool_calls": [piece] }))),
        }
        let mut choices: Vec<Value> = deltas.iter().map(|delta| json!({ "delta": delta })).collect();
        let last = said.calls.len().checked_sub(1).filter(|_| self.form != Form::FunctionCall);
        match (self.again, last) {
            (Again::EmptyPiece, Some(last)) => {
                let mut piece = Map::from_iter([("function".to_owned(), json!({ "arguments": "" }))]);
                self.put(&mut piece, last, usize::MAX);
                choices.push(json!({ "delta": { "tool_calls": [piece] } }));
            }
            (Again::Arguments, Some(last)) => {
                let mut piece = self.whole(last, &said.calls[last]);
                if self.name == Name::First {
                    piece["function"].as_object_mut().expect("an object").remove("name");
                }
                choices.push(json!({ "delta": { "tool_calls": [piece] } }));
            }
            (Again::Message, _) => choices.push(json!({ "message": self.message(said) })),
            _ => {}
        }
        choices.push(json!({ "delta": {}, "finish_reason": "stop" }));
        choices
    }
}

fn said() -> impl Strategy<Value = Said> {
    let value = prop_oneof![
        "[\\PC{}\"\\\\\\[,]{0,8}".prop_map(Value::String),
        any::<i32>().prop_map(Value::from),
        Just(Value::Null),
        proptest::collection::vec("[a-z{}]{0,3}", 0..3).prop_map(|texts| json!({ "a": texts })),
    ];
    let arguments = proptest::collection::vec(("[a-z가]{1,3}", value), 0..3).prop_map(Map::from_iter);
    let calls = proptest::collection::vec((select(&TOOLS[..]), arguments), 0..4);
    ("\\PC{0,20}", calls).prop_map(|(text, calls)| Said { text, calls })
}

fn dialect() -> impl Strategy<Value = Dialect> {
    let index = select(vec![
        Index::Place,
        Index::PlaceFromOne,
        Index::PlaceAsText,
        Index::Zero,
        Index::Null,
        Index::None,
    ]);
    let id =
        select(vec![Id::OfCall, Id::OfCallAlways, Id::NewEachPiece, Id::Same, Id::Empty, Id::Null, Id::None]);
    let arguments = select(vec![
        Arguments::Whole,
        Arguments::Object,
        Arguments::Pieces,
        Arguments::EmptyThenPieces,
        Arguments::BracesThenPieces,
        Arguments::NullOrWhole,
    ]);
    let name = select(vec![Name::First, Name::EachPiece, Name::InPieces]);
    let again = select(vec![Again::Nothing, Again::EmptyPiece, Again::Arguments, Again::Message]);
    let form = select(vec![Form::Stream, Form::OneEvent, Form::Mixed, Form::Plain, Form::FunctionCall]);
    (index, id, name, arguments, again, form, 1..9_usize).prop_map(
        |(index, id, name, arguments, again, form, size)| Dialect {
            index,
            id,
            name,
            arguments,
            again,
            form,
            size,
        },
    )
}

fn heard(said: &Said, dialect: &Dialect) -> (String, Vec<(String, Value)>) {
    let tools = TOOLS.map(|name| ToolSpec {
        name: name.to_owned(),
        description: String::new(),
        parameters: Value::Null,
    });
    let mut answer = Answer::after(&[], &tools);
    for choice in dialect.choices(said) {
        let event = json!({ "choices": [choice] }).to_string();
        answer.push(&serde_json::from_str(&event).expect("an event"));
    }
    let reply = answer.assemble(&[], 1).expect("an answer");
    let calls = reply.calls.into_iter().map(|call| {
        let arguments = serde_json::from_str(&call.arguments);
        (call.name, arguments.unwrap_or_else(|_| call.arguments.into()))
    });
    (reply.content, calls.collect())
}

#[test]
fn an_answer_is_the_same_in_every_dialect() {
    let mut runner = koab_draws::runner(ANSWERS);
    let drawn = (said(), dialect()).prop_filter("it can be told", |(said, dialect)| dialect.can_tell(said));
    let held = runner.run(&drawn, |(said, dialect)| {
        let (text, calls) = heard(&said, &dialect);
        let wanted: Vec<(String, Value)> = said
            .calls
            .iter()
            .map(|(name, arguments)| ((*name).to_owned(), arguments.clone().into()))
            .collect();
        prop_assert_eq!(text, said.text.clone(), "{:?}", dialect.choices(&said));
        prop_assert_eq!(calls, wanted, "{:?}", dialect.choices(&said));
        Ok(())
    });
    if let Err(error) = held {
        panic!("KOAB_TEST_SEED={}: {error}", koab_draws::seed());
    }
}
