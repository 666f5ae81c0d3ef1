import { expect, it } from 'vitest';
import cases from '../../../src-tauri/crates/koab-core/src/sentence/particles.json';
import { fitted, josa } from './particle';

it.each(cases as [string, string, string][])('after “%s”, %s is %s, as the engine says it', (value, both, fitting) => {
  expect(fitted(value, both)).toBe(fitting);
});

it('fits each particle of a text to its value', () => {
  const text = (name: string, count: number) => josa`“${name}”은(는) ${count}(으)로, 이름은(는) ${name}`;
  expect(text('팩', 3)).toBe('“팩”은 3으로, 이름은(는) 팩');
  expect(text('gpt-5', 1)).toBe('“gpt-5”는 1로, 이름은(는) gpt-5');
});
