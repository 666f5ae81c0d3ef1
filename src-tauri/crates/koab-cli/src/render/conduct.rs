//! Conduct of an agent apart from its steps and calls (such as its own tools and the hosts that it
//! tried to reach), as text for the terminal. Lines that do not apply are left out.

use koab_api::{AgentCalls, AgentConduct};
use koab_core::sentence::Language;
use koab_core::text;

/// Lines about an agent's conduct, under a title.
pub(crate) fn text(conduct: &AgentConduct, lang: Language) -> String {
    let mut text = format!("\n{}:\n", lang.text(text!("what the agent did outside its steps")));
    for (name, value) in rows(conduct, lang) {
        text.push_str(&format!("  {name}: {value}\n"));
    }
    text
}

/// Name and value of each line about the agent's conduct.
pub(crate) fn rows(conduct: &AgentConduct, lang: Language) -> Vec<(&'static str, String)> {
    let some = |count: u32| (count > 0).then(|| count.to_string());
    let calls = conduct.asked.as_ref();
    let unknown = || lang.text(text!("unknown: it asks a model of its own")).to_owned();
    let hosts = conduct.hosts.as_ref().filter(|hosts| !hosts.is_empty());
    let hosts = hosts.map(|hosts| {
        if conduct.hosts_of_run {
            format!("{} ({})", hosts.join(", "), lang.text(text!("by this attempt or another")))
        } else {
            hosts.join(", ")
        }
    });
    let rows = [
        (text!("own tools"), Some(calls.map_or_else(unknown, own_tools))),
        (text!("calls that it never made"), calls.and_then(|calls| some(calls.unmade))),
        (text!("calls whose arguments it changed"), calls.and_then(|calls| some(calls.changed))),
        (text!("calls that its model did not ask for"), calls.and_then(|calls| some(calls.by_agent))),
        (text!("side calls"), calls.and_then(|calls| some(calls.side_calls))),
        (text!("calls after its end, refused"), some(conduct.after_end)),
        (text!("attempts that left something running"), some(conduct.outlived)),
        (text!("hosts asked for, none reached"), hosts),
        (text!("attempts with unknown hosts, late calls and remaining processes"), some(conduct.unread)),
        (text!("seconds to its first call"), conduct.startup_s.map(|seconds| format!("{seconds:.1}"))),
    ];
    rows.into_iter().filter_map(|(name, value)| Some((lang.text(name), value?))).collect()
}

/// Number of calls of the agent's own tools, with the names of these tools.
fn own_tools(asked: &AgentCalls) -> String {
    let names: Vec<String> =
        asked.own_tools.iter().map(|tool| format!("{} {}", tool.name, tool.calls)).collect();
    if names.is_empty() {
        asked.own_calls.to_string()
    } else {
        format!("{} ({})", asked.own_calls, names.join(", "))
    }
}
