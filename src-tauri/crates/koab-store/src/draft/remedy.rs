//! Advice to a pack's author about a problem, by the field that has it.

use koab_core::finding::{Fault, Problem};
use koab_core::say;
use koab_core::sentence::Sentence;

/// Adds advice for the pack's author to the problem.
pub fn remedied(problem: Problem) -> Problem {
    let remedy = remedy(problem.field.as_deref(), problem.code);
    problem.with_remedy(remedy)
}

fn remedy(field: Option<&str>, fault: Fault) -> Sentence {
    let Some(field) = field else {
        return match fault {
            Fault::Unreadable | Fault::NotJson | Fault::Form => {
                say!("Write one JSON object; the JSON view shows the place of the error.")
            }
            // Problems of a pack as a whole leave nothing to write.
            _ => Sentence::default(),
        };
    };
    // The last part of a path matters most: `golden_action[1].args.size` is an argument, wherever
    // its call is.
    let part = |name: &str| field.split('.').any(|part| part.split('[').next() == Some(name));
    if field.starts_with("parameters") {
        return say!("State every argument under properties with its type, and name in required only those.");
    }
    if part("args") {
        return if fault == Fault::Placeholder {
            say!(
                "Write the value from the answer of the step before; a call with a placeholder is never found among the cached responses."
            )
        } else {
            say!("Write the argument as the tool's schema asks for it.")
        };
    }
    let head = field.split(['.', '[']).next().unwrap_or_default();
    match head {
        "task_id" => say!("Give the task an id that no other task of the pack has, such as L1-002."),
        "instruction" => say!("Write what the user asks, as a user would say it."),
        "task_level" => say!("Write the number of the level that the task is filed under."),
        "golden_action" | "fallback_options" if part("tool") => {
            say!("Choose a tool of this pack, or add the tool first.")
        }
        "golden_action" => say!("State the calls that solve the task, each with a tool and its arguments."),
        "fallback_options" => say!("State the calls that the task accepts instead after the failure."),
        "available_tools" | "essential_tools" => say!("Name tools of this pack, or add the tools first."),
        "golden_fields" => {
            say!("Name for each tool the places of the facts in its answer, such as items[0].title.")
        }
        "error_injection" => {
            say!("Name the tool that fails, and how: timeout, complete_unavailable or data_not_available.")
        }
        "minimum_steps" | "minimum_calls" | "minimum_sources" | "repetitions" => {
            say!("Write a whole number.")
        }
        "resp_schema" | "arg_schema" => say!("Write a JSON object."),
        "data_flow" => say!("State for each argument from which step's answer it comes."),
        "conversation_tracking" if part("result") => {
            say!("Write what the tool answered, so that the model sees it.")
        }
        "conversation_tracking" if part("tool") => say!("Choose a tool of this pack, or add the tool first."),
        "conversation_tracking" => {
            say!("Write turns with rising numbers that begin with what the user says.")
        }
        "long_term_tests" => {
            say!("State in which turn something is said, and in which it has to be remembered.")
        }
        "name" => say!("Give the tool a name that no other tool of the pack has."),
        "description" => say!("Say what the tool does and when to call it; models choose by this text."),
        "tasks" => say!("Add a task."),
        "tools" => say!("Add a tool, or bring one from an installed pack."),
        "judge_prompts" => say!("Take over the judge prompts of an installed pack."),
        _ => say!("Change the field to what is required, or remove it."),
    }
}

#[cfg(test)]
mod tests {
    use super::{Fault, remedy};

    #[test]
    fn the_field_decides_what_is_to_be_done() {
        use Fault::{Arguments, Form, NotJson, Placeholder, UnknownTool};
        for (field, fault, says) in [
            (None, NotJson, "Write one JSON object"),
            (Some("golden_action[1].args.x"), Placeholder, "Write the value"),
            (Some("conversation_tracking.turns[0].action.args.q"), Arguments, "as the tool's schema"),
            (Some("golden_action[0].tool"), UnknownTool, "Choose a tool"),
            (Some("parameters.properties.q.type"), Form, "State every argument"),
            (Some("nobody"), Form, "Change the field"),
        ] {
            assert!(remedy(field, fault).to_string().contains(says), "{field:?}");
        }
        assert_eq!(remedy(None, Fault::Missing).to_string(), "", "a whole pack");
    }
}
