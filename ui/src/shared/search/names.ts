// Names of filters, in every language that the page has: whoever reads one may type the other.
import type { Messages } from '../../locales';

type Names = Messages['fields']['names'];
export type FieldName = keyof Names;

const files = import.meta.glob<{ fields: { names: Names } }>('../../locales/*/fields.ts', { eager: true });

/** Letters as they are compared: composed Hangul, no case. */
export const plain = (text: string): string => text.normalize('NFC').toLocaleLowerCase();

const BY_WORD = new Map<string, FieldName>(
  Object.values(files).flatMap(({ fields }) =>
    Object.entries(fields.names).flatMap(([name, words]) =>
      words.split(' ').map((word) => [plain(word), name as FieldName] as const),
    ),
  ),
);

/** The field that a word names. */
export const fieldNamed = (word: string): FieldName | undefined => BY_WORD.get(plain(word));

/** Whether a name of the field, in whichever language, begins so. */
export const beginsSo = (name: FieldName, begin: string): boolean =>
  [...BY_WORD].some(([word, of]) => of === name && word.startsWith(plain(begin)));
