// Addresses of servers as people type them: with or without a scheme.

/** An address that names its scheme. `localhost:8000` parses as a URL too, with the scheme `localhost`. */
const HAS_SCHEME = /^(https?:|[a-z][a-z\d+.-]*:\/\/)/i;
/** A name of the internet without a port: a key must not travel there in the clear. */
const IS_PUBLIC = /^([a-z\d-]+\.)+(?!(?:local|lan|internal|home|localhost)(?![a-z\d-]))[a-z][a-z\d-]*([/?#]|$)/i;

/** The whole address: a scheme is put before one that names none. Empty where nothing is typed. */
export function asAddress(typed: string): string {
  const text = typed.trim();
  if (text === '' || HAS_SCHEME.test(text)) return text;
  return `${IS_PUBLIC.test(text) ? 'https' : 'http'}://${text.replace(/^\/\//, '')}`;
}

/** The same for a request, in which `null` stands for the provider's own address. */
export const addressOrNull = (typed: string): string | null => asAddress(typed) || null;

/** Whether it is an address of a server, or empty where it may be. */
export function isAddress(typed: string, needed: boolean): boolean {
  const text = asAddress(typed);
  if (text === '') return !needed;
  // Chromium would take a host with a blank in it.
  return !/\s/.test(text) && URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}
