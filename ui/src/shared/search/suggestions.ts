// What the list below a search with filters offers: fields, then the values that occur, with the number of rows.
import { dayOf, type FilterField, type Filters, matchingValues, tokensOf, type FilterValue } from './filters';
import { beginsSo, plain } from './names';
import type { SearchOption } from './options';

/** Values of one field, and of all fields while a word is typed, that are listed at once. */
const MAX_VALUES = 200;
const MAX_FOUND = 8;

/** What taking an option does: a field is chosen, or a value of it. */
export type Choice = { key: string } | { key: string; value: string };

export const choiceOf = (option: string): Choice => {
  const [key = '', ...value] = option.split('=');
  return value.length > 0 ? { key, value: value.join('=') } : { key };
};

interface Asked<Row> {
  text: string;
  fields: readonly FilterField<Row>[];
  filters: Filters;
  /** The values of a field in the rows that the other filters leave. */
  values: (field: FilterField<Row>) => readonly FilterValue[];
  /** `model:`, `date ≥`. */
  label: (field: FilterField<Row>) => string;
  words: {
    filterBy: string;
    none: string;
    day: string;
    rows: (count: number) => string;
    choices: (count: number) => string;
    firstOf: (name: string, shown: number, all: number) => string;
  };
}

export interface Suggestions {
  options: SearchOption[];
  chosen?: string;
  /** Said where there is no option; an empty text shows no list. */
  none: string;
  /** Whether Enter takes the first option: not while free words are typed. */
  takesFirst: boolean;
}

export const NOTHING: Suggestions = { options: [], none: '', takesFirst: false };

export function suggestions<Row>(asked: Asked<Row>): Suggestions {
  const { text, fields } = asked;
  const last = tokensOf(text, fields).findLast(({ end }) => end === text.length);
  const [field] = last?.fields ?? [];
  if (last && field?.sign) {
    // A whole day is taken by Enter; until then it can be chosen.
    const options = dayOf(last.typed) ? [] : last.fields.map((one) => fieldOption(asked, one));
    return { options, none: '', takesFirst: options.length === 1 };
  }
  return last && field ? ofField(asked, field, last.typed) : ofWords(asked, last?.text ?? '');
}

function ofField<Row>(asked: Asked<Row>, field: FilterField<Row>, typed: string): Suggestions {
  const { filters, words, label } = asked;
  const found = matchingValues(asked.values(field), typed);
  // A value that is typed whole is before those that contain it.
  const isWhole = ({ value, text }: FilterValue) => [value, text].some((one) => plain(one) === plain(typed));
  const all = [...found.filter(isWhole), ...found.filter((one) => !isWhole(one))];
  const shown = all.slice(0, MAX_VALUES);
  const group = shown.length < all.length ? words.firstOf(label(field), shown.length, all.length) : label(field);
  const options = shown.map(({ value, text, rows }) => ({
    value: `${field.key}=${value}`,
    text,
    group,
    count: words.rows(rows),
  }));
  const now = filters[field.key];
  return { options, none: words.none, takesFirst: typed !== '', ...(now && { chosen: `${field.key}=${now}` }) };
}

function ofWords<Row>(asked: Asked<Row>, word: string): Suggestions {
  const { fields, words, label } = asked;
  const offered = fields.filter(
    (field) =>
      (field.sign || asked.values(field).length > 0) &&
      (word === '' || beginsSo(field.name, word) || plain(field.key).startsWith(plain(word))),
  );
  // One letter finds nearly everything.
  const found =
    word.length < 2 && !/\p{Script=Hangul}/u.test(word)
      ? []
      : fields
          .filter(({ sign }) => !sign)
          .flatMap((field) => matchingValues(asked.values(field), word).map((value) => ({ field, ...value })))
          .slice(0, MAX_FOUND);
  const options = [
    ...offered.map((field) => ({ ...fieldOption(asked, field), group: words.filterBy })),
    ...found.map(({ field, value, text, rows }) => ({
      value: `${field.key}=${value}`,
      text: `${label(field)} ${text}`,
      group: words.filterBy,
      count: words.rows(rows),
    })),
  ];
  return { options, none: '', takesFirst: false };
}

function fieldOption<Row>({ label, values, words }: Asked<Row>, field: FilterField<Row>): SearchOption {
  return {
    value: field.key,
    text: label(field),
    count: field.sign ? words.day : words.choices(values(field).length),
  };
}
