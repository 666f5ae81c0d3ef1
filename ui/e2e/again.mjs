/** What a line begins with that says what was done a second time. */
export const AGAIN = 'second try:';
