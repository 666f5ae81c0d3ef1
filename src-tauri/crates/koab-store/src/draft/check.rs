//! Everything that is wrong with a draft, by the checks that an import makes, and those that only
//! its author can still heed.

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

/// The ids of the tasks before, with their levels: runs name a task by its id alone.
pub type TakenIds = BTreeMap<String, Level>;

/// A task of a draft, read and checked.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedTask {
    /// The task as far as it can be read, also where it could not be kept as it is.
    pub task: Option<Task>,
    /// What is wrong; one that is rejected keeps the draft from being saved.
    pub problems: Vec<Problem>,
}

/// A tool of a draft, read and checked.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedTool {
    /// The tool, where it can be kept as it is.
    pub spec: Option<ToolSpec>,
    /// What is wrong; one that is rejected keeps the draft from being saved.
    pub problems: Vec<Problem>,
}

/// A draft, read and checked.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedDraft {
    /// Its tasks, in their order.
    pub tasks: Vec<CheckedTask>,
    /// Its tools, in their order.
    pub tools: Vec<CheckedTool>,
    /// What is wrong with the whole.
    pub whole: Vec<Problem>,
}

impl CheckedDraft {
    /// Every problem, those of the whole first.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        let tasks = self.tasks.iter().flat_map(|task| &task.problems);
        let tools = self.tools.iter().flat_map(|tool| &tool.problems);
        self.whole.iter().chain(tools).chain(tasks)
    }

    /// Whether it can be saved.
    pub fn is_sound(&self) -> bool {
        !self.problems().any(Problem::is_error)
    }

    /// The tools that can be used.
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

/// Checks one task: as its level's file would be read, against the tools, and against the ids
/// before it, to which its own is added.
pub fn check_task(stated: &DraftTask, taken: &mut TakenIds, tools: &[ToolSpec]) -> CheckedTask {
    let value: Value = match serde_json::from_str(&stated.text) {
        Ok(value) => value,
        Err(error) => {
            return CheckedTask { task: None, problems: vec![no_json(&error)] };
        }
    };
    let mut ids: BTreeSet<String> =
        taken.iter().filter(|(_, level)| **level == stated.level).map(|(id, _)| id.clone()).collect();
    let (sound, mut problems) = task::check_task(stated.level, &value, &mut ids);
    let id = value.get("task_id").and_then(Value::as_str).unwrap_or_default();
    match taken.get(id) {
        Some(level) if *level != stated.level => {
            let why = say!("the id `{id}` is already taken by a task of {level}");
            problems.push(Fault::Taken.rejected(why).at("task_id"));
        }
        Some(_) => {}
        None if id.is_empty() => {}
        None => {
            taken.insert(id.to_owned(), stated.level);
        }
    }
    let task = sound.or_else(|| {
        let raw = value.as_object()?.clone();
        Some(Task { id: id.to_owned(), level: stated.level, raw })
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
    let refused = |problem: Problem| CheckedTool { spec: None, problems: vec![problem] };
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => return refused(no_json(&error)),
    };
    let spec = match parse_tool(&value) {
        Ok(spec) => spec,
        Err(problem) => return refused(problem),
    };
    if !is_callable(&spec.name) {
        let why = say!(
            "must be 1 to 64 letters, digits, dashes and underscores; servers of models refuse other names"
        );
        return refused(Fault::Form.rejected(why).at("name"));
    }
    if !names.insert(spec.name.clone()) {
        return refused(Fault::Taken.rejected(say!("the name `{}` is already taken", spec.name)).at("name"));
    }
    let problems = parameters(&spec);
    CheckedTool { spec: Some(spec), problems }
}

/// What models cannot know without it.
fn parameters(spec: &ToolSpec) -> Vec<Problem> {
    let mut found = Vec::new();
    for (name, schema) in spec.properties() {
        let at = |part: &str| format!("parameters.properties.{name}{part}");
        if !schema.is_object() {
            found.push(Fault::Form.warning(say!("must be an object")).at(at("")));
        } else if schema.get("type").is_none() {
            found.push(Fault::Form.warning(say!("states no type, so any value passes")).at(at(".type")));
        }
    }
    for name in spec.required() {
        if !spec.properties().any(|(declared, _)| declared == name) {
            let why = say!("requires `{name}`, which is not a property, so no call can be sound");
            found.push(Fault::Form.warning(why).at("parameters.required"));
        }
    }
    found
}

/// What servers of models accept as the name of a function; it is also safe as the name of a file.
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
                .map(|(level, text)| DraftTask { level: *level, text: (*text).to_owned() })
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
        parameters.required: requires `z`, which is not a property, so no call can be sound
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
