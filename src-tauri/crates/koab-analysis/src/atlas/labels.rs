//! Display names of causes, for tables, images and the terminal, which this program writes itself.

use koab_core::text;

macro_rules! labels {
    ($($name:literal, $rule:literal;)*) => {
        /// Name of each cause and description of its rule, in the order of the causes.
        pub(super) const LABELS: &[(&str, &str)] = &[$((text!($name), text!($rule))),*];
    };
}

labels! {
    "Ran out of time", "The attempt’s error or stop reason is the time limit.";
    "Model server gave no answer", "The attempt ended with an error and without an answer.";
    "User or budget ended the attempt", "The user or the budget ended the attempt.";
    "A later repetition gave no answer", "A repetition after the first ended without an answer (pass@k).";
    "Judge gave no usable verdict", "A verdict on a lost metric is an error; the leaderboard counts it as a no.";
    "Gave no answer, so the dataset’s counts", "Multi-turn: the final response is an answer of the dataset, since the model gave none.";
    "Gave an empty answer", "The final response has fewer than three characters.";
    "Used up its steps", "The attempt reached its step limit while its last step was still calling tools.";
    "Reached the output limit mid-answer", "The answer ended at the output limit: the run records it, or the answer took 1,024 tokens or more and ends mid-sentence.";
    "Pack has no cached response", "A call is a cache miss.";
    "Tool service failed a call", "A call failed, and neither the task, the pack nor the model’s arguments are the cause.";
    "Wrote arguments that cannot be parsed", "The arguments of a call cannot be parsed.";
    "Called a tool that does not exist", "A call names a tool that does not exist.";
    "Gave arguments that the tool rejects", "The tool’s validation rejected an argument, or a required one is missing.";
    "Called no fallback tool", "L5: the injected failure occurred, and no fallback tool was called.";
    "Did not call the tool made to fail", "L5: calls were made, none of them to the tool with the injected failure.";
    "Asked the user instead of answering", "SR was lost, and the answer asks the user for something that the task did not leave open, in one of a list of phrases.";
    "Only announced the work", "SR was lost, and the answer’s last sentence announces work.";
    "Gave up the task", "SR was lost, and the answer says, in one of a list of phrases, that it could not be found or done.";
    "Gave links instead of an answer", "SR was lost, and the answer sends the user to at least two links for what was asked.";
    "Stated facts that no result contains", "A judged metric was lost, and a time, price, date or name in the answer appears in no result and nowhere in the conversation.";
    "Asked the user without calling a tool", "The golden path has a call, and none was made. The answer asks the user: a sentence ends with a question mark or has one of a list of phrases, and is no offer of more.";
    "Answered without calling a tool", "The golden path has a call, and none was made. The answer asks the user nothing.";
    "Called a tool outside the golden path", "A call is to a tool that is not in the golden path.";
    "Left out a call of the golden path", "An entry of the golden path has no matching call.";
    "Made the calls in another order", "L3: a call matches an entry at another position of the golden path.";
    "Repeated an earlier call", "A call repeats the tool and arguments of an earlier one.";
    "Called the failing tool again", "L5: after the injected failure the same tool was called again.";
    "Called the fallback tool late", "L5: more steps lie between failure and fallback than the run needs, without a retry.";
    "Made more calls than needed", "A call beyond the golden path or beyond the minimum number of calls.";
    "Got no data from a call", "A call succeeded and its result is empty or an error.";
    "Gave an argument a wrong value", "An argument of the graded call differs from the golden value.";
    "Left out an argument", "The golden call has an argument that the graded call lacks.";
    "Added an extra argument", "The graded call has an argument that the golden call lacks.";
    "Golden call uses a value not in the task", "The model’s value appears literally in the task text, and the golden value does not.";
    "Wrote an argument in another format", "The values differ only in spaces, case, quotes, number format or precision.";
    "Stated or left out a default value", "The arguments differ only by a default value that one side states.";
    "Judge saw only the first question", "L7, leaderboard: the judge saw the first question with the answer to the last one and denied it, while the judges of the whole conversation found little or no fault.";
    "Dataset gave the result first", "L7: the dataset’s own result of the tested turn comes before the model’s answer, and a judged metric was lost.";
    "Call returned other data than the dataset", "L7: a call’s result differs from the seeded result in the same field, and a grade was lost.";
    "Judge rejected an answer backed by results", "SR was denied, although the results that the model saw have at least nine of ten figures, dates and names of the answer. The judge does not see these results.";
    "Judge marked down equal arguments", "ArgAcc is below 1 although the arguments are equal except for defaults and format.";
    "Judges gave different verdicts", "The votes or judges on a lost metric disagree.";
}
