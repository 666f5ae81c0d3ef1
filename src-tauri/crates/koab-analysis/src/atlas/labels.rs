//! What causes are called where the engine itself writes them: tables, pictures, the terminal.

use koab_core::text;

macro_rules! labels {
    ($($name:literal, $rule:literal;)*) => {
        /// Name and rule of each cause, in their order.
        pub(super) const LABELS: &[(&str, &str)] = &[$((text!($name), text!($rule))),*];
    };
}

labels! {
    "Timed out", "The attempt’s error or end says that its time was up.";
    "Model server failed", "The attempt ended with an error and without an answer.";
    "Stopped", "The user or the budget ended the attempt.";
    "Repetition failed", "A repetition after the first ended without an answer (pass@k).";
    "Judge failed", "A verdict on a lost metric is an error; the leaderboard counts it as a no.";
    "Seeded answer", "Multi-turn: the final response is an answer of the dataset, since the model said nothing.";
    "Empty answer", "The final response has fewer than three characters.";
    "Step limit", "The attempt ended at its step limit, its last step still calling tools.";
    "Answer cut off", "The answer ended at the output limit: the run says so, or it took 1,024 tokens or more and ends within a sentence.";
    "Cache miss", "A call is marked as not recorded.";
    "Service failed", "A call failed, and neither the task, the pack nor the model’s arguments are the reason.";
    "Bad JSON", "The argument text of a call cannot be read.";
    "Unknown tool", "A call names a tool that there is not.";
    "Argument refused", "A tool’s check refused an argument, or a required one is missing.";
    "Fallback not used", "L5: the injected failure was met, and no fallback tool was called.";
    "Injection not met", "L5: calls were made, none of them to the tool that is to fail.";
    "Asked back", "SR was lost, and the answer asks the user for something that the task did not leave open, in one of a list of phrases.";
    "Only announced", "SR was lost, and the answer’s last sentence announces work.";
    "Gave up", "SR was lost, and the answer says, in one of a list of phrases, that it could not be found or done.";
    "Links instead of an answer", "SR was lost, and the answer sends the user to at least two links for what was asked.";
    "Contradicts the results", "A judged metric was lost, and a time, price, date or name of the answer stands in no result and nowhere in the conversation.";
    "No call", "The golden path wants a call, and none was made.";
    "Wrong tool", "A call is to a tool that the golden path does not have.";
    "Missing call", "An entry of the golden path has no call.";
    "Wrong order", "L3: a call stands for an entry that the path has at another place.";
    "Redundant call", "A call repeats an earlier one, tool and arguments.";
    "Failing tool retried", "L5: after the injected failure the same tool was called again.";
    "Late fallback", "L5: between failure and fallback lie more steps than the run’s form takes, without a retry.";
    "Extra call", "A call beyond the golden path or beyond the least number.";
    "Nothing found", "A call succeeded and its result is empty or an error.";
    "Wrong argument", "An argument of the graded call has another value than the golden one.";
    "Missing argument", "The golden call has an argument that the graded call lacks.";
    "Extra argument", "The graded call has an argument that the golden one lacks.";
    "Golden call differs from the task", "The model’s value stands in the task’s own words, and the golden value does not.";
    "Argument in another form", "The value is equal but for spaces, case, quotes, number format or precision.";
    "Default spelled out", "The arguments differ only by a default value that one side states.";
    "Judged on the first question", "L7, leaderboard: the judge was shown the first turn’s question with the answer to the last, and denied it, while the judges of the whole conversation found little or no fault.";
    "Dataset’s turn first", "L7: the dataset’s own result of the tested turn stands before the model’s answer, and a judged metric was lost.";
    "New result against seeded", "L7: a call’s result has another value than the seeded result in the same field, and a grade was lost.";
    "Denied though backed", "SR was denied, and all that can be checked in the answer (at least nine of ten figures, dates, names) stands in the results that the model saw and the judge did not.";
    "Graded against the log", "ArgAcc is below 1 although the arguments are equal but for defaults and form.";
    "Judges split", "The votes or judges on a lost metric disagree.";
}
