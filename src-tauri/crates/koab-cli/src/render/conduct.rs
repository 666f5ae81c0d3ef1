//! What an agent did beside its steps and calls, as text for the terminal: a line each, and none
//! for what did not happen.

use koab_api::{AgentCalls, AgentConduct};
use koab_core::sentence::Language;
use koab_core::text;

/// The lines under a title.
pub(crate) fn text(conduct: &AgentConduct, lang: Language) -> String {
    let mut text = format!("\n{}:\n", lang.text(text!("what the agent did beside its steps")));
    for (name, value) in rows(conduct, lang) {
        text.push_str(&format!("  {name}: {value}\n"));
    }
    text
}

/// Name and value of each.
pub(crate) fn rows(conduct: &AgentConduct, lang: Language) -> Vec<(&'static str, String)> {
    let some = |count: u32| (count > 0).then(|| count.to_string());
    let asked = conduct.asked.as_ref();
    let unknown = || lang.text(text!("unknown: it asks a model of its own")).to_owned();
    let hosts = conduct.hosts.as_ref().filter(|hosts| !hosts.is_empty());
    let hosts = hosts.map(|hosts| match conduct.hosts_of_run {
        true => format!("{} ({})", hosts.join(", "), lang.text(text!("by this attempt or another"))),
        false => hosts.join(", "),
    });
    let rows = [
        (text!("own tools"), Some(asked.map_or_else(unknown, own_tools))),
        (text!("calls that it never made"), asked.and_then(|asked| some(asked.unmade))),
        (text!("calls whose arguments it changed"), asked.and_then(|asked| some(asked.changed))),
        (text!("calls that its model did not ask for"), asked.and_then(|asked| some(asked.by_agent))),
        (text!("side calls"), asked.and_then(|asked| some(asked.side_calls))),
        (text!("calls after its end, refused"), some(conduct.after_end)),
        (text!("attempts that left something running"), some(conduct.outlived)),
        (text!("hosts asked for, none reached"), hosts),
        (text!("attempts of which hosts, late calls and what they left are unknown"), some(conduct.unread)),
        (text!("seconds to its first call"), conduct.startup_s.map(|seconds| format!("{seconds:.1}"))),
    ];
    let told = rows.into_iter().filter_map(|(name, value)| Some((lang.text(name), value?)));
    told.collect()
}

/// Their number, and which they were.
fn own_tools(asked: &AgentCalls) -> String {
    let named = asked.own_tools.iter();
    let named: Vec<String> = named.map(|tool| format!("{} {}", tool.name, tool.calls)).collect();
    match named.is_empty() {
        true => asked.own_calls.to_string(),
        false => format!("{} ({})", asked.own_calls, named.join(", ")),
    }
}
