//! Words that users try, and the commands and options that they mean.

/// A place in the tree of commands, the words tried there, and the commands that they mean.
type Row = (&'static str, &'static [&'static str], &'static [&'static str]);

const COMMANDS: &[Row] = &[
    ("", &["list", "ls", "all"], &["runs list", "report list", "pack list", "models list"]),
    (
        "",
        &["delete", "rm", "remove", "del", "clean"],
        &["runs delete", "report delete", "models delete", "pack delete"],
    ),
    ("", &["restore", "undo", "undelete", "recover"], &["trash restore", "trash list"]),
    ("", &["bin", "deleted", "recycle"], &["trash list"]),
    ("trash", &["clear", "clean", "purge"], &["trash empty"]),
    ("", &["test", "bench", "benchmark", "start", "execute", "exec", "launch"], &["run"]),
    ("", &["eval", "grade", "mark", "rescore", "evaluation", "scores"], &["score"]),
    ("", &["diff", "cmp", "vs", "versus", "comparison"], &["compare"]),
    ("", &["load", "upload", "ingest"], &["import"]),
    ("", &["download", "fetch", "get", "install", "pull"], &["models pull", "pack pull"]),
    ("", &["leaderboard", "results", "result", "table", "summary", "ranking"], &["report list", "compare"]),
    ("", &["ui", "gui", "web", "window", "browser", "app", "dashboard"], &["serve", "open"]),
    ("", &["resume", "continue", "retry", "restart"], &["run --resume last"]),
    ("", &["login", "auth", "token", "apikey", "api-key", "secret", "secrets"], &["keys set"]),
    ("", &["connect", "connection", "connections", "endpoint", "provider", "providers"], &["models connect"]),
    ("", &["server", "servers", "ollama", "vllm"], &["models servers", "models connect"]),
    ("", &["transcript", "transcripts", "view", "info", "describe", "cat"], &["show"]),
    ("", &["log", "logs"], &["show last", "runs logs"]),
    ("", &["export", "save", "html", "pdf", "csv"], &["report export", "submit bundle", "pack export"]),
    ("", &["status", "progress", "ps", "jobs", "history"], &["runs list", "runs show last"]),
    ("", &["stop", "kill", "abort", "cancel"], &["runs cancel"]),
    ("", &["check", "health", "diagnose", "env", "config", "settings"], &["doctor"]),
    ("", &["cost", "costs", "price", "prices", "pricing"], &["models prices", "run --dry-run"]),
    ("", &["estimate", "plan", "dry-run"], &["run --dry-run"]),
    ("", &["publish", "submission", "pr"], &["submit prepare"]),
    ("", &["verify", "validate"], &["submit verify", "pack verify", "models verify"]),
    ("", &["task", "tasks", "levels", "dataset", "datasets", "data"], &["pack show", "pack list"]),
    ("", &["failures", "errors", "causes", "why"], &["report atlas"]),
    ("", &["tag", "tags", "label"], &["runs tag"]),
    ("", &["version"], &["--version"]),
    ("", &["online"], &["offline off"]),
    ("models", &["show", "info", "get"], &["models list", "models doctor"]),
    ("models", &["download", "fetch", "install"], &["models pull"]),
    ("models", &["test", "ping", "try"], &["models probe", "models check", "models doctor"]),
    ("models", &["health", "status"], &["models check"]),
    ("models", &["import"], &["models add"]),
    ("keys", &["add", "new", "put", "store", "save"], &["keys set"]),
    ("keys", &["show", "get"], &["keys list"]),
    ("report", &["diff", "vs", "cmp"], &["report compare"]),
    ("report", &["add", "load"], &["report import"]),
    ("report", &["failures", "errors", "causes"], &["report atlas"]),
    ("report", &["create", "make", "new", "write"], &["score"]),
    ("runs", &["resume", "retry", "continue"], &["run --resume last"]),
    ("runs", &["start", "new", "create"], &["run"]),
    ("runs", &["import", "add"], &["import"]),
    ("runs", &["compare", "diff"], &["compare"]),
    ("runs", &["score", "evaluate", "judge"], &["score"]),
    ("runs", &["stop", "kill", "abort"], &["runs cancel"]),
    ("runs", &["report"], &["report show"]),
    ("pack", &["download", "fetch", "install"], &["pack pull"]),
    ("pack", &["add", "load"], &["pack import"]),
    ("pack", &["activate", "select", "switch", "set"], &["pack use"]),
    ("pack", &["create", "new", "make"], &["pack draft"]),
    ("pack", &["check", "validate", "test"], &["pack lint", "pack verify"]),
    ("judge", &["list"], &["judge panel", "judge overrides", "judge queues"]),
    ("judge", &["run", "rejudge", "ask"], &["judge again"]),
    ("submit", &["create", "new", "make", "run"], &["submit prepare"]),
    ("submit", &["check", "test"], &["submit validate", "submit verify"]),
    ("scenario", &["list"], &["scenario status", "scenario clone --list"]),
];

/// Verbs of commands, each with other words for it.
const VERBS: &[(&str, &[&str])] = &[
    ("list", &["ls", "all", "index"]),
    ("show", &["view", "info", "get", "cat", "print", "open", "describe", "display", "details"]),
    ("delete", &["rm", "remove", "del", "erase", "destroy", "trash"]),
    ("restore", &["undo", "undelete", "recover", "unremove"]),
    ("import", &["load", "add", "upload"]),
    ("export", &["save", "write", "dump"]),
];

/// Options of different names for one thing.
const OPTIONS: &[(&[&str], &[&str])] = &[
    (&["--judge", "--judges", "--judge-model", "--grader", "--evaluator"], &["--judge-models"]),
    (&["--judge-url", "--judge-address"], &["--judge-base-url"]),
    (&["--without-judge", "--without-judges", "--skip-judge", "--no-judges"], &["--no-judge"]),
    (&["--llm", "--model-id", "--model-name", "--models", "-m"], &["--model"]),
    (
        &["--url", "--api-base", "--api-url", "--endpoint", "--server", "--host", "--address", "-u"],
        &["--base-url"],
    ),
    (&["--level", "-l"], &["--levels", "--level"]),
    (&["--task", "-t"], &["--tasks", "--task"]),
    (&["--repeat", "--repeats", "--runs", "--attempts", "--trials", "-n"], &["--repetitions", "--repeat"]),
    (&["--parallel", "--workers", "--jobs", "--threads", "--num-workers", "-j"], &["--concurrency"]),
    (&["--budget", "--max-usd", "--cost-limit", "--max-price"], &["--max-cost"]),
    (&["--max-budget-tokens", "--token-limit"], &["--max-total-tokens"]),
    (&["--score", "--eval", "--judge-after"], &["--evaluate"]),
    (&["--out", "--file", "--output-dir", "--output-file", "-o"], &["--output"]),
    (&["--force", "--confirm", "--assume-yes", "-y", "-f"], &["--yes"]),
    (&["--workspace", "--dir", "--data-dir", "--root"], &["--home"]),
    (&["--language", "--locale", "--korean"], &["--lang"]),
    (&["--max-turns", "--steps", "--turns"], &["--max-steps"]),
    (&["--time-limit", "--max-time"], &["--timeout"]),
    (&["--plan", "--estimate", "--preview"], &["--dry-run"]),
    (&["--cache"], &["--cache-mode"]),
    (&["--data", "--dataset", "--benchmark"], &["--pack"]),
    (&["--temp"], &["--temperature"]),
    (&["--silent", "-q"], &["--quiet"]),
    (&["--permanent", "--permanently", "--hard"], &["--for-good"]),
    (&["--continue", "--restart"], &["--resume"]),
    (&["--all-columns", "--full", "--no-truncate"], &["--wide"]),
];

/// Commands that a word below `path` means.
pub(super) fn commands(path: &[&str], word: &str) -> Vec<String> {
    let path = path.join(" ");
    let row = COMMANDS.iter().find(|(place, words, _)| *place == path && words.contains(&word));
    row.map_or_else(Vec::new, |(.., commands)| commands.iter().map(|&command| command.to_owned()).collect())
}

/// The verbs that a word means.
pub(super) fn verbs(word: &str) -> Vec<&'static str> {
    let rows = VERBS.iter().filter(|(_, words)| words.contains(&word));
    rows.map(|(verb, _)| *verb).collect()
}

/// Options that another option's name means.
pub(super) fn options(word: &str) -> Vec<&'static str> {
    let rows = OPTIONS.iter().filter(|(words, _)| words.contains(&word));
    rows.flat_map(|(_, options)| options.iter().copied()).collect()
}

/// Every command that an answer may name.
#[cfg(test)]
pub(super) fn answers() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().flat_map(|(.., commands)| commands.iter().copied())
}
