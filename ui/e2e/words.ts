// Words between the stories and their reporter.

/** What the failure of a story begins with whose checks have told theirs already. */
export const CHECKS_FAILED = 'checks failed:';
/** The kind of an annotation that says what a story leaves out. */
export const LEFT_OUT = 'left out';
