// Numbers as a reader of tables wants them: same digits, same place.
import type { Language } from '../locales';

/** Shown where there is no number. Never 0. */
export const NONE = '—';

export function count(value: number | null, language: Language): string {
  if (value === null) return NONE;
  return new Intl.NumberFormat(language).format(value);
}

/** An estimate: as exact as it can be taken seriously, such as 12,000 for 12,345. */
export function amount(value: number, language: Language): string {
  const digits = value > 0 && value < 10 ? 2 : 3;
  return new Intl.NumberFormat(language, { maximumSignificantDigits: digits }).format(value);
}

/** US dollars: cents from ten cents on, and enough digits below that small sums are not nothing. */
export function dollars(value: number, language: Language): string {
  const small = value !== 0 && Math.abs(value) < 0.1;
  const digits = small ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return `$${new Intl.NumberFormat(language, digits).format(value)}`;
}

/** A mean with four decimals, so that columns line up and close models differ. */
export function score(value: number | null, language: Language): string {
  if (value === null) return NONE;
  return new Intl.NumberFormat(language, { minimumFractionDigits: 4, maximumFractionDigits: 4 }).format(value);
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

/** A moment in the reader's own time, to the minute. */
export function moment(iso: string, language: Language): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(date);
}
