// What the engine says, rendered in the reader's language: the twin of `koab_core::sentence`, from the same files.
import type { Arg, Sentence } from '../ipc/gen';
import { SENTENCES, type Language } from '../locales';
import { fitted } from './particle';

type Filled = Exclude<Sentence, string>;

/** Divides a sentence from the note that tells it from another one with the same English. */
const NOTE = '\u0004';

/** A sentence in a language, English where the language does not have it. */
export function render(sentence: Sentence, language: Language): string {
  return typeof sentence === 'string' ? known(sentence, language) : filled(sentence, language);
}

function known(english: string, language: Language): string {
  const file = SENTENCES[language];
  const own = file !== undefined && Object.hasOwn(file, english) ? file[english] : undefined;
  return own ?? english.split(NOTE, 1)[0] ?? english;
}

/** Each place that has something is filled, and a Korean particle behind it fits; other braces stay. */
function filled({ text, args = {} }: Filled, language: Language): string {
  let done = '';
  let rest = known(text, language);
  for (;;) {
    const open = rest.indexOf('{');
    if (open < 0) return done + rest;
    const close = rest.indexOf('}', open);
    const name = close < 0 ? '' : rest.slice(open + 1, close);
    const has = close >= 0 && Object.hasOwn(args, name);
    done += rest.slice(0, open) + (has ? shown(args[name]!, language) : '{');
    const after = rest.slice(has ? close + 1 : open + 1);
    rest = has ? fitted(done, after) : after;
  }
}

function shown(arg: Arg, language: Language): string {
  if (typeof arg === 'number' || typeof arg === 'string') return String(arg);
  if ('list' in arg) return arg.list.map((one) => render(one, language)).join(known(arg.between, language));
  return filled(arg, language);
}
