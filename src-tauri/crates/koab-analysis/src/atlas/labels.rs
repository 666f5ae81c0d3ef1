//! Display names of causes, for tables, images and the terminal, which this program writes itself.

use koab_core::text;

macro_rules! labels {
    ($($name:literal, $rule:literal;)*) => {
        /// Name of each cause and description of its rule, in the order of the causes.
        pub(super) const LABELS: &[(&str, &str)] = &[$((text!($name), text!($rule))),*];
    };
}

labels! {
    "Timed out", "The attempt’s error or stop reason is the time limit.";
    "Model server failed", "The attempt ended with an error and without an answer.";
    "Stopped", "The user or the budget ended the attempt.";
    "Repetition failed", "A repetition after the first ended without an answer (pass@k).";
    "Judge failed", "A verdict on a lost metric is an error; the leaderboard counts it as a no.";
    "Seeded answer", "Multi-turn: the final response is an answer of the dataset, since the model gave none.";
    "Empty answer", "The final response has fewer than three characters.";
    "Step limit", "The attempt reached its step limit while its last step was still calling tools.";
    "Answer cut off", "The answer ended at the output limit: the run records it, or the answer took 1,024 tokens or more and ends mid-sentence.";
    "Cache miss", "A call is a cache miss.";
    "Service failed", "A call failed, and neither the task, the pack nor the model’s arguments are the cause.";
    "Bad JSON", "The arguments of a call cannot be parsed.";
    "Unknown tool", "A call names a tool that does not exist.";
    "Argument rejected", "The tool’s validation rejected an argument, or a required one is missing.";
    "Fallback not used", "L5: the injected failure occurred, and no fallback tool was called.";
    "Injected tool not called", "L5: calls were made, none of them to the tool with the injected failure.";
    "Asked for clarification", "SR was lost, and the answer asks the user for something that the task did not leave open, in one of a list of phrases.";
    "Only announced", "SR was lost, and the answer’s last sentence announces work.";
    "Gave up", "SR was lost, and the answer says, in one of a list of phrases, that it could not be found or done.";
    "Links instead of an answer", "SR was lost, and the answer sends the user to at least two links for what was asked.";
    "Contradicts the results", "A judged metric was lost, and a time, price, date or name in the answer appears in no result and nowhere in the conversation.";
    "No call, asked back", "The golden path has a call, and none was made. The answer asks the user: a sentence ends with a question mark or has one of a list of phrases, and is no offer of more.";
    "No call, answered", "The golden path has a call, and none was made. The answer asks the user nothing.";
    "Wrong tool", "A call is to a tool that is not in the golden path.";
    "Missing call", "An entry of the golden path has no matching call.";
    "Wrong order", "L3: a call matches an entry at another position of the golden path.";
    "Redundant call", "A call repeats the tool and arguments of an earlier one.";
    "Failing tool retried", "L5: after the injected failure the same tool was called again.";
    "Late fallback", "L5: more steps lie between failure and fallback than the run needs, without a retry.";
    "Extra call", "A call beyond the golden path or beyond the minimum number of calls.";
    "Nothing found", "A call succeeded and its result is empty or an error.";
    "Wrong argument", "An argument of the graded call differs from the golden value.";
    "Missing argument", "The golden call has an argument that the graded call lacks.";
    "Extra argument", "The graded call has an argument that the golden call lacks.";
    "Golden call differs from the task", "The model’s value appears literally in the task text, and the golden value does not.";
    "Argument format", "The values differ only in spaces, case, quotes, number format or precision.";
    "Explicit default", "The arguments differ only by a default value that one side states.";
    "Judged on the first question", "L7, leaderboard: the judge saw the first turn’s question with the answer to the last and denied it, while the judges of the whole conversation found little or no fault.";
    "Dataset turn first", "L7: the dataset’s own result of the tested turn comes before the model’s answer, and a judged metric was lost.";
    "Conflict with seeded result", "L7: a call’s result differs from the seeded result in the same field, and a grade was lost.";
    "Denied despite evidence", "SR was denied, and all that can be checked in the answer (at least nine of ten figures, dates, names) is in the results that the model saw and the judge did not.";
    "Graded against the log", "ArgAcc is below 1 although the arguments are equal except for defaults and format.";
    "Judges split", "The votes or judges on a lost metric disagree.";
}
