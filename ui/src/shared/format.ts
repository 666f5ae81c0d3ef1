// Numbers as a reader of tables wants them: same digits, same place.
import type { Language } from '../locales';

/** Shown where there is no number. Never 0. */
export const NONE = '—';

const made = new Map<string, Intl.NumberFormat>();

/** How a language writes numbers. Making a format takes a hundred times as long as using it, so each is made once. */
export function format(language: Language, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = `${language} ${Object.entries(options).join(' ')}`;
  let found = made.get(key);
  if (!found) {
    found = new Intl.NumberFormat(language, options);
    made.set(key, found);
  }
  return found;
}

/** Just as many decimals. */
export const decimals = (digits: number) => ({ minimumFractionDigits: digits, maximumFractionDigits: digits });

export function count(value: number | null, language: Language): string {
  return value === null ? NONE : format(language).format(value);
}

/** An estimate: as exact as it can be taken seriously, such as 12,000 for 12,345. */
export function amount(value: number, language: Language): string {
  const digits = value > 0 && value < 10 ? 2 : 3;
  return format(language, { maximumSignificantDigits: digits }).format(value);
}

/** US dollars: cents from ten cents on, and enough digits below that small sums are not nothing. */
export function dollars(value: number, language: Language): string {
  const small = value !== 0 && Math.abs(value) < 0.1;
  return `$${format(language, small ? { maximumSignificantDigits: 2 } : decimals(2)).format(value)}`;
}

/** Dollars of one column, all with the decimals that the smallest sum needs, four at most; a smaller one has its own. */
export function dollarColumn(column: readonly (number | null)[], language: Language): (value: number | null) => string {
  const sums = column.flatMap((value) => (value === null || value === 0 ? [] : [Math.abs(value)]));
  const smallest = Math.min(...sums, 1);
  // Two significant digits of a sum below ten cents, as above.
  const digits = smallest >= 0.1 ? 2 : Math.min(4, Math.ceil(-Math.log10(smallest)) + 1);
  return (value) => {
    if (value === null) return NONE;
    const isLost = value !== 0 && Math.abs(value) < 10 ** -digits / 2;
    return isLost ? dollars(value, language) : `$${format(language, decimals(digits)).format(value)}`;
  };
}

// How the figures of reports are written is one rule for all faces, this one and those that the engine writes
// (`koab-core/src/shown.rs`): the decimal expansion of the number is rounded to the nearest, halves to the even digit, and what
// rounds to zero has no sign. A table of cases in the engine's folder holds both to it. Both languages write them alike.

/** `value` with just as many decimals. */
export function fixed(value: number, digits: number): string {
  const size = Math.abs(value);
  // As long as any number of a report can be; `toFixed` itself knows no half, it rounds it up.
  const exact = size.toFixed(100);
  const rest = exact.slice(exact.length - 100 + digits);
  const below = exact.slice(0, exact.length - 100 + digits).replace(/\.$/, '');
  const isHalf = /^50*$/.test(rest);
  const text = isHalf && Number(below.at(-1)) % 2 === 0 ? below : size.toFixed(digits);
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}

/** The same with its sign, which zero has none of. */
export function signed(value: number, digits: number): string {
  const text = fixed(value, digits);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** A score, a mean or a composite, with four decimals, so that columns line up and close models differ. */
export const score = (value: number | null | undefined): string =>
  value === null || value === undefined ? NONE : fixed(value, 4);

/** A score of one task: without the zeros that a table of means needs. */
export const taskScore = (value: number | null | undefined): string => score(value).replace(/\.?0+$/, '');

/** A score less another one. */
export const difference = (value: number | null): string => (value === null ? NONE : signed(value, 4));

/** The ends of a score's interval: its own spread leaves no meaning to a fourth decimal. */
export const ends = ({ low, high }: { low: number; high: number }): string => `[${fixed(low, 3)}, ${fixed(high, 3)}]`;

/** The ends of a difference's interval. */
export const endsOfDifference = ({ low, high }: { low: number; high: number }): string =>
  `[${signed(low, 3)}, ${signed(high, 3)}]`;

/** A p value, or that it is smaller than what four decimals can say. */
export const pValue = (p: number | null): string => (p === null ? NONE : p < 0.0001 ? '<0.0001' : fixed(p, 4));

/** A share of 1 in hundredths. */
export const percent = (share: number, digits = 1): string => `${fixed(share * 100, digits)} %`;

/** A coefficient of agreement or correlation. */
export const coefficient = (value: number): string => fixed(value, 3);

/** The size of an effect. */
export const effect = (value: number): string => signed(value, 2);

/** Sizes as disks are sold: thousands, one decimal from a kilobyte on. */
export function bytes(value: number | null, language: Language): string {
  if (value === null) return NONE;
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let [shown, unit] = [value, 0];
  while (shown >= 999.95 && unit < units.length - 1) [shown, unit] = [shown / 1000, unit + 1];
  return `${format(language, decimals(unit === 0 ? 0 : 1)).format(shown)} ${units[unit]}`;
}

/** Numbers of weights as their makers say them: 7.6B, 494M. */
export function weights(value: number | null, language: Language): string {
  if (value === null) return NONE;
  const [shown, unit, digits] =
    value >= 1e9 ? [value / 1e9, 'B', 1] : value >= 1e6 ? [value / 1e6, 'M', 0] : [value / 1e3, 'k', 0];
  return `${format(language, decimals(digits)).format(shown)}${unit}`;
}

/** Seconds with a decimal under a minute, then `m:ss`, and `h:mm:ss` from an hour on. */
export function duration(ms: number | null): string {
  if (ms === null) return NONE;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** `YYYYMMDD_HHMMSS` or `YYYYMMDD` with the usual marks between; other text stays as it is. */
export function runDate(text: string): string {
  const parts = /^(\d{4})(\d\d)(\d\d)(?:_(\d\d)(\d\d)(\d\d))?$/.exec(text);
  if (!parts) return text;
  const [, year, month, day, hour, minute, second] = parts;
  const date = `${year}-${month}-${day}`;
  return hour === undefined ? date : `${date} ${hour}:${minute}:${second}`;
}

/** A moment as files have it, to the second. */
export const utc = (iso: string): string => iso.replace('T', ' ').replace(/(\.\d+)?(Z|\+00:00)$/, ' UTC');

/** A moment in the reader's own time, to the minute. */
export function moment(iso: string, language: Language): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(date);
}
