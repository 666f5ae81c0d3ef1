//! Finds all faults of a draft: those that an import would report, and those that only its author
//! can still fix.

use super::{Draft, DraftTask};
use koab_core::finding::{Fault, Problem};
use koab_core::judge::JudgePrompts;
use koab_core::level::Level;
use koab_core::pack::parse_tool;
use koab_core::say;
use koab_core::sentence::ToSentence;
use koab_core::task::{self, Task};
use koab_core::tool::ToolSpec;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Ids that earlier tasks have taken, with their levels. Runs name a task by its id alone.
pub type TakenIds = BTreeMap<String, Level>;

/// Task of a draft after parsing, with its problems.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedTask {
    /// The task as far as it can be read, even when it cannot be saved in this form.
    pub task: Option<Task>,
    /// Problems of the task. A rejected one prevents the draft from being saved.
    pub problems: Vec<Problem>,
}

/// Tool of a draft after parsing, with its problems.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedTool {
    /// The tool, when it can be saved in this form.
    pub spec: Option<ToolSpec>,
    /// Problems of the tool. A rejected one prevents the draft from being saved.
    pub problems: Vec<Problem>,
}

/// Draft after parsing, with all its problems.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedDraft {
    /// Checked tasks, in the draft's order.
    pub tasks: Vec<CheckedTask>,
    /// Checked tools, in the draft's order.
    pub tools: Vec<CheckedTool>,
    /// Problems of the draft as a whole.
    pub whole: Vec<Problem>,
}

impl CheckedDraft {
    /// All problems: first those of the draft as a whole, then of tools, then of tasks.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        let tasks = self.tasks.iter().flat_map(|task| &task.problems);
        let tools = self.tools.iter().flat_map(|tool| &tool.problems);
        self.whole.iter().chain(tools).chain(tasks)
    }

    /// Whether the draft can be saved.
    pub fn is_sound(&self) -> bool {
        !self.problems().any(Problem::is_error)
    }

    /// Tools that can be saved.
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.tools.iter().filter_map(|tool| tool.spec.clone()).collect()
    }
}

/// Checks a whole draft.
pub fn check(draft: &Draft) -> CheckedDraft {
    let tools = check_tools(&draft.tools);
    let specs: Vec<ToolSpec> = tools.iter().filter_map(|tool| tool.spec.clone()).collect();
    let mut taken = TakenIds::new();
    let tasks: Vec<CheckedTask> =
        draft.tasks.iter().map(|task| check_task(task, &mut taken, &specs)).collect();
    let mut whole = Vec::new();
    if draft.tasks.is_empty() {
        whole.push(Fault::Missing.rejected(say!("there is no task, so nothing can be run")).at("tasks"));
    }
    if draft.tools.is_empty() {
        whole.push(
            Fault::Missing
                .warning(say!("there is no tool definition, so no task can call anything"))
                .at("tools"),
        );
    }
    if draft.judge_prompts.trim().is_empty() {
        let why = say!("is missing, so metrics that need a judge stay unscored");
        whole.push(Fault::Missing.warning(why).at("judge_prompts"));
    } else if let Err(error) = JudgePrompts::parse(&draft.judge_prompts) {
        whole.push(Fault::Form.warning(error.to_sentence()).at("judge_prompts"));
    }
    CheckedDraft { tasks, tools, whole }
}

/// Checks one task by the rules for its level's file, against the tools and the ids of earlier
/// tasks. Adds its id to `taken`.
pub fn check_task(draft: &DraftTask, taken: &mut TakenIds, tools: &[ToolSpec]) -> CheckedTask {
    let value: Value = match serde_json::from_str(&draft.text) {
        Ok(value) => value,
        Err(error) => {
            return CheckedTask { task: None, problems: vec![no_json(&error)] };
        }
    };
    let mut ids: BTreeSet<String> =
        taken.iter().filter(|(_, level)| **level == draft.level).map(|(id, _)| id.clone()).collect();
    let (sound, mut problems) = task::check_task(&draft.level, &value, &mut ids);
    let id = value.get("task_id").and_then(Value::as_str).unwrap_or_default();
    match taken.get(id) {
        Some(level) if *level != draft.level => {
            let why = say!("the id `{id}` is already taken by a task of {level}");
            problems.push(Fault::Taken.rejected(why).at("task_id"));
        }
        Some(_) => {}
        None if id.is_empty() => {}
        None => {
            taken.insert(id.to_owned(), draft.level.clone());
        }
    }
    let task = sound.or_else(|| {
        let raw = value.as_object()?.clone();
        Some(Task { id: id.to_owned(), level: draft.level.clone(), raw })
    });
    if let Some(task) = &task {
        problems.extend(task::check_tools(task, tools));
    }
    CheckedTask { task, problems }
}

/// Checks the tools of a draft, in their order.
pub fn check_tools(texts: &[String]) -> Vec<CheckedTool> {
    let mut names: BTreeSet<String> = BTreeSet::new();
    texts.iter().map(|text| check_tool(text, &mut names)).collect()
}

fn check_tool(text: &str, names: &mut BTreeSet<String>) -> CheckedTool {
    let reject = |problem: Problem| CheckedTool { spec: None, problems: vec![problem] };
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => return reject(no_json(&error)),
    };
    let spec = match parse_tool(&value) {
        Ok(spec) => spec,
        Err(problem) => return reject(problem),
    };
    if !is_callable(&spec.name) {
        let why = say!(
            "must be 1 to 64 letters, digits, dashes and underscores; servers of models refuse other names"
        );
        return reject(Fault::Form.rejected(why).at("name"));
    }
    if !names.insert(spec.name.clone()) {
        return reject(Fault::Taken.rejected(say!("the name `{}` is already taken", spec.name)).at("name"));
    }
    let problems = parameters(&spec);
    CheckedTool { spec: Some(spec), problems }
}

/// Warns about flaws of the parameter schema that leave models guessing.
fn parameters(spec: &ToolSpec) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (name, schema) in spec.properties() {
        let at = |part: &str| format!("parameters.properties.{name}{part}");
        if !schema.is_object() {
            problems.push(Fault::Form.warning(say!("must be an object")).at(at("")));
        } else if schema.get("type").is_none() {
            problems.push(Fault::Form.warning(say!("states no type, so any value passes")).at(at(".type")));
        }
    }
    for name in spec.required() {
        if !spec.properties().any(|(declared, _)| declared == name) {
            let why = say!("requires `{name}`, which is not a property, so no call can be valid");
            problems.push(Fault::Form.warning(why).at("parameters.required"));
        }
    }
    problems
}

/// Whether servers of models accept the name as that of a function. Such a name is also safe as a
/// file name.
pub fn is_callable(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    (1..=64).contains(&name.len()) && name.chars().all(fits)
}

fn no_json(error: &serde_json::Error) -> Problem {
    Fault::NotJson.rejected(say!("is not JSON: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::{example_task, example_tool};

    fn draft(tasks: &[(Level, &str)], tools: &[&str]) -> Draft {
        Draft {
            tasks: tasks
                .iter()
                .map(|(level, text)| DraftTask { level: level.clone(), text: (*text).to_owned() })
                .collect(),
            tools: tools.iter().map(|text| (*text).to_owned()).collect(),
            judge_prompts: "x".to_owned(),
            ..Draft::default()
        }
    }

    fn lines(draft: &Draft) -> String {
        let checked = check(draft);
        let lines: Vec<String> = checked.problems().map(ToString::to_string).collect();
        lines.join("\n")
    }

    #[test]
    fn the_example_has_nothing_wrong_but_its_prompts() {
        let draft = draft(&[(Level::L1, &example_task())], &[&example_tool()]);
        let checked = check(&draft);
        assert!(checked.is_sound());
        assert!(checked.tasks[0].problems.is_empty() && checked.tools[0].problems.is_empty());
    }

    #[test]
    fn half_done_texts_are_named_with_the_place() {
        let tool = r#"{"name": "한글", "description": "x", "parameters": {}}"#;
        let loose = r#"{"name": "a", "description": "x", "parameters": {"properties": {"q": {}}, "required": ["z"]}}"#;
        let found = lines(&draft(
            &[
                (Level::L1, "{\"task_id\": "),
                (Level::L1, r#"{"task_id": "A", "instruction": "?", "task_level": 1, "golden_action": []}"#),
                (
                    Level::L2,
                    r#"{"task_id": "A", "instruction": "", "task_level": 2, "golden_action": [{"tool": "b"}]}"#,
                ),
            ],
            &[tool, loose, loose, "7"],
        ));
        insta::assert_snapshot!(found, @r#"
        judge_prompts: the judge prompts are not YAML with `system` and `template` under each key: invalid type: string "x", expected a map
        name: must be 1 to 64 letters, digits, dashes and underscores; servers of models refuse other names (left out)
        parameters.properties.q.type: states no type, so any value passes
        parameters.required: requires `z`, which is not a property, so no call can be valid
        name: the name `a` is already taken (left out)
        must be an object (left out)
        is not JSON: EOF while parsing a value at line 1 column 12 (left out)
        A: golden_action: names no tool, so the model will be offered none
        A: instruction: is empty (left out)
        task_id: the id `A` is already taken by a task of L1 (left out)
        A: golden_action[0].tool: there is no tool named `b`
        "#);
    }

    #[test]
    fn an_empty_draft_cannot_be_saved() {
        let checked = check(&Draft::default());
        assert!(!checked.is_sound());
        insta::assert_snapshot!(lines(&Draft::default()), @r"
        tasks: there is no task, so nothing can be run (left out)
        tools: there is no tool definition, so no task can call anything
        judge_prompts: is missing, so metrics that need a judge stay unscored
        ");
    }
}
