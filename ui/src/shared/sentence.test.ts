import { expect, it } from 'vitest';
import cases from '../../../src-tauri/crates/koab-core/src/sentence/cases.json';
import type { Sentence } from '../ipc/gen';
import { render } from './sentence';

it.each(cases as [Sentence, string, string][])('%j is rendered as the engine does', (sentence, english, korean) => {
  expect(render(sentence, 'en')).toBe(english);
  expect(render(sentence, 'ko')).toBe(korean);
});
