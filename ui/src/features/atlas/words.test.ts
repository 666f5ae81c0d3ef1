// A cause has one name and one rule: the page says them in the words of the engine, in every language.
import { expect, it } from 'vitest';
import causes from '../../../../src-tauri/crates/koab-analysis/src/atlas/cause.rs?raw';
import labels from '../../../../src-tauri/crates/koab-analysis/src/atlas/labels.rs?raw';
import { SENTENCES } from '../../locales';
import * as en from '../../locales/en';
import * as ko from '../../locales/ko';

const ids = [...causes.matchAll(/^ {4}\w+ "(\w+)" \w+ \w+, "/gm)].map(([, id]) => id ?? '');
const said = [...labels.matchAll(/^ {4}"(.+)", "(.+)";$/gm)].map(([, name, rule]) => [name ?? '', rule ?? ''] as const);

it('causes have the engine’s names and rules', () => {
  expect(ids.length).toBeGreaterThan(40);
  expect(said).toHaveLength(ids.length);
  const of = (words: (text: string) => string | undefined, place: 0 | 1) =>
    Object.fromEntries(ids.map((id, at) => [id, words(said[at]?.[place] ?? '')]));
  expect(en.atlas.names).toEqual(of((text) => text, 0));
  expect(en.atlas.rules).toEqual(of((text) => text, 1));
  const korean = (text: string) => SENTENCES['ko']?.[text];
  expect(ko.atlas.names).toEqual(of(korean, 0));
  expect(ko.atlas.rules).toEqual(of(korean, 1));
});
