//! Dispatch of commands by name, from the command tables of the areas.

use crate::Api;
use crate::doctor::Check;
use crate::{About, AppInfo, Exchange, Library, Remote, Runs, Scoring, WireError};
use serde_json::Value;
use std::sync::Arc;

use koab_compare::Compare;
use koab_keys::Keys;
use koab_models::Models;
use koab_packs::Packs;
use koab_recorder::Recorder;
use koab_scenarios::Scenarios;
use koab_workspace::commands::Page;
#[cfg(test)]
use koab_workspace::commands::Signature;
use koab_workspace::{Workspace, commands};

commands! { Api: api, sink;
    quick app_info() -> AppInfo [touches nothing] = api.app_info();
    quick app_about() -> About [touches nothing] = api.app_about();
    slow doctor() -> Vec<Check> [touches nothing] = Ok(api.doctor().await);
}

impl Api {
    /// Runs a command by name and returns its answer as JSON. `sink` receives the events, if the
    /// command sends events.
    ///
    /// # Errors
    /// When there is no such command, an argument is missing or has the wrong type, or the command
    /// itself fails.
    pub async fn call(&self, name: &str, args: Value, sink: Arc<dyn Page>) -> Result<String, WireError> {
        match name {
            _ if Workspace::has_command(name) => self.workspace.answer(name, args, sink).await,
            _ if Keys::has_command(name) => self.keys.answer(name, args, sink).await,
            _ if Models::has_command(name) => self.models.answer(name, args, sink).await,
            _ if Library::has_command(name) => self.runs.library.answer(name, args, sink).await,
            _ if Scoring::has_command(name) => self.runs.scoring.answer(name, args, sink).await,
            _ if Runs::has_command(name) => self.runs.answer(name, args, sink).await,
            _ if Remote::has_command(name) => self.remote.answer(name, args, sink).await,
            _ if Compare::has_command(name) => self.compare.answer(name, args, sink).await,
            _ if Exchange::has_command(name) => self.exchange.answer(name, args, sink).await,
            _ if Packs::has_command(name) => self.packs.answer(name, args, sink).await,
            _ if Recorder::has_command(name) => self.recorder.answer(name, args, sink).await,
            _ if Scenarios::has_command(name) => self.scenarios.answer(name, args, sink).await,
            _ => self.answer(name, args, sink).await,
        }
    }
}

/// Signatures of the commands of all areas, for the TypeScript side.
#[cfg(test)]
fn all(config: &ts_rs::Config) -> Vec<Signature> {
    [
        Workspace::signatures(config),
        Keys::signatures(config),
        Models::signatures(config),
        Packs::signatures(config),
        Library::signatures(config),
        Scoring::signatures(config),
        Runs::signatures(config),
        Remote::signatures(config),
        Compare::signatures(config),
        Exchange::signatures(config),
        Recorder::signatures(config),
        Scenarios::signatures(config),
        Api::signatures(config),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use koab_core::run_record::{FORM_NUMBERS, RunSettings};
    use koab_workspace::commands::{Nobody, Topic, Topics};
    use std::collections::HashSet;
    use std::fmt::Write as _;

    /// TypeScript constant with the topics that `of` returns for each command: the kinds of data in
    /// the workspace that the command reads or writes. Commands without topics are left out.
    fn table(name: &str, commands: &[Signature], of: fn(Topics) -> &'static [Topic]) -> String {
        let mut rows = String::new();
        for command in commands {
            let topics = of(command.topics);
            if !topics.is_empty() {
                let _ = writeln!(rows, "  {}: {},", command.name, serde_json::to_string(topics).unwrap());
            }
        }
        format!(
            "export const {name} = {{\n{rows}}} as const satisfies {{ [C in keyof Commands]?: readonly Topic[] }};\n"
        )
    }

    /// TypeScript constant with the bounds and published values of the numeric settings of a run.
    fn form_numbers() -> String {
        let published = serde_json::to_value(RunSettings::published()).unwrap();
        let mut rows = String::new();
        for (name, bounds) in FORM_NUMBERS {
            let mut row = serde_json::to_value(bounds).unwrap();
            row["published"] = published[name].clone();
            let _ = writeln!(rows, "  {name}: {row},");
        }
        format!("export const FORM_NUMBERS = {{\n{rows}}} as const;\n")
    }

    /// Called by `cargo xtask gen` with every other `export_bindings` test.
    #[test]
    fn export_bindings_commands() {
        let config = ts_rs::Config::from_env();
        let commands = all(&config);
        let mut rows = String::new();
        for command in &commands {
            let args: Vec<String> = command.args.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
            let args = match args.as_slice() {
                [] => "Record<string, never>".to_owned(),
                args => format!("{{ {} }}", args.join(", ")),
            };
            let _ = writeln!(
                rows,
                "  {}: {{ streams: {}, args: {args}, answer: {} }};",
                command.name, command.streams, command.answer
            );
        }
        let text = format!(
            "// This file was generated from the tables of commands. Do not edit it.\n\n/** Every command: whether it sends events, its arguments, what it answers. */\nexport interface Commands {{\n{rows}}}\n"
        );
        let reads = table("READS", &commands, |topics| match topics {
            Topics::Reads(topics) => topics,
            Topics::Writes(_) | Topics::Nothing => &[],
        });
        let writes = table("WRITES", &commands, |topics| match topics {
            Topics::Writes(topics) => topics,
            Topics::Reads(_) | Topics::Nothing => &[],
        });
        let folder = std::env::var("TS_RS_EXPORT_DIR").unwrap_or_else(|_| "./bindings".to_owned());
        let folder = std::path::Path::new(&folder);
        std::fs::create_dir_all(folder).unwrap();
        let numbers = ("FORM_NUMBERS.ts", form_numbers());
        for (file, text) in [("Commands.ts", text), numbers, ("READS.ts", reads), ("WRITES.ts", writes)] {
            std::fs::write(folder.join(file), text).unwrap();
        }
    }

    #[test]
    fn every_topic_is_read_by_a_command_and_written_by_another() {
        let (mut read, mut written) = (HashSet::<Topic>::new(), HashSet::<Topic>::new());
        for command in all(&ts_rs::Config::new()) {
            match command.topics {
                Topics::Reads(topics) => read.extend(topics),
                Topics::Writes(topics) => written.extend(topics),
                Topics::Nothing => {}
            }
        }
        assert_eq!(read, written);
    }

    #[tokio::test]
    async fn a_command_is_found_by_name_and_its_arguments_are_checked() {
        let folder = tempfile::tempdir().unwrap();
        let api = Api::open(Some(folder.path().to_owned())).unwrap();
        let call = async |name: &str, args: Value| api.call(name, args, Arc::new(Nobody)).await;
        let packs = call("packs_list", serde_json::json!({})).await.unwrap();
        let packs: Value = serde_json::from_str(&packs).unwrap();
        assert_eq!(packs[0]["name"], "starter");
        assert_eq!(call("pack_use", serde_json::json!({"name": "starter"})).await.unwrap(), "null");
        let error = call("pack_use", serde_json::json!({})).await.unwrap_err();
        assert_eq!(error.message, "the arguments of pack_use are not right: missing field `name`");
        let export = serde_json::json!({"export": {"ids": [], "format": "csv", "by": "model", "levels": ["../x"], "causes": [], "language": "en"}});
        let error = call("atlas_export", export).await.unwrap_err();
        let told = "the arguments of atlas_export are not right: `../x` cannot name a group; ";
        assert!(error.message.to_string().starts_with(told), "{}", error.message);
        let error = call("drop_everything", Value::Null).await.unwrap_err();
        assert_eq!(error.message, "there is no command drop_everything");
    }
}
