// Korean particles that depend on the sound before them: the twin of `koab_core::sentence::particle`. A text has both
// forms behind a value, as in `${name}은(는)`; the last sound of the value decides which one is shown.

/** How the word before a particle ends: ㄹ takes 로 where other consonants take 으로. */
type Ending = 'vowel' | 'rieul' | 'consonant';

/** Both forms as texts have them, then the form after a consonant and after a vowel. */
const PAIRS = [
  ['은(는)', '은', '는'],
  ['이(가)', '이', '가'],
  ['을(를)', '을', '를'],
  ['와(과)', '과', '와'],
  ['과(와)', '과', '와'],
  ['(으)로', '으로', '로'],
  ['(이)', '이', ''],
] as const;

/** Marks that may be between a value and its particle. */
const CLOSING = /^[`'"’”)\]]*/;

/** What follows a value, with the particle that it begins with in the form that fits the text before. */
export function fitted(before: string, rest: string): string {
  const marks = CLOSING.exec(rest)?.[0] ?? '';
  const pair = PAIRS.find(([both]) => rest.startsWith(both, marks.length));
  const found = pair && ending(before + marks);
  if (!pair || !found) return rest;
  const [both, consonant, vowel] = pair;
  const takesVowel = found === 'vowel' || (found === 'rieul' && both === '(으)로');
  return marks + (takesVowel ? vowel : consonant) + rest.slice(marks.length + both.length);
}

/** A Korean text with values, whose particles fit them: `josa` is what they are called in Korean. */
export function josa(texts: TemplateStringsArray, ...values: (string | number)[]): string {
  return values.reduce<string>((done, value, at) => {
    const before = `${done}${value}`;
    return before + fitted(before, texts[at + 1] ?? '');
  }, texts[0] ?? '');
}

/** Of the last word of a text as Koreans read it aloud. What is in closing brackets is not read. */
function ending(text: string): Ending | undefined {
  const read = text.replace(/[^\p{L}\p{N})\]%]+$/u, '');
  const bracketed = /^(.*)\(([^(]*)\)$|^(.*)\[([^[]*)\]$/su.exec(read);
  if (bracketed) return ending(bracketed[1] ?? bracketed[3] ?? '') ?? ending(bracketed[2] ?? bracketed[4] ?? '');
  const last = read.at(-1) ?? '';
  if (/[)\]]/.test(last)) return ending(read.slice(0, -1));
  if (/[가-힣]/.test(last)) {
    const final = (last.charCodeAt(0) - 0xac00) % 28;
    return final === 0 ? 'vowel' : final === 8 ? 'rieul' : 'consonant';
  }
  if (/[036]/.test(last)) return 'consonant';
  if (/[178]/.test(last)) return 'rieul';
  if (/[2459%]/.test(last)) return 'vowel';
  const word = /[a-z]+$/i.exec(read)?.[0];
  return word === undefined ? undefined : latin(word);
}

/** A rule of thumb: abbreviations are spelled, other words are read as in English. */
function latin(word: string): Ending {
  const lower = word.toLowerCase();
  const isSpelled = word.length === 1 || word === word.toUpperCase() || !/[aeiouy]/.test(lower);
  if (lower.endsWith('l') || (isSpelled && lower.endsWith('r'))) return 'rieul';
  if (/[mn]$/.test(lower)) return 'consonant';
  if (isSpelled) return 'vowel';
  if (lower.endsWith('le')) return 'rieul';
  // A stop after one short vowel closes the syllable, as in 챗; after others it begins one, as in 스크립트.
  const isClosed = /(?:[mn]e|ng|(?:^|[^aeiouy])[aeiouy](?:c?[ckpt]|kk|pp|tt))$/.test(lower);
  return isClosed ? 'consonant' : 'vowel';
}
