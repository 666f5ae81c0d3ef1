import { expect, it } from 'vitest';
import engine from '../../../../src-tauri/crates/koab-core/src/judge/family.rs?raw';
import { sameVendor, vendorOf, VENDORS } from './vendor';

it('the words are those of the engine, in its order', () => {
  const table = engine.slice(0, engine.indexOf('];'));
  const rows = [...table.matchAll(/\("([^"]+)", "([^"]+)"\)/g)].map(([, word, vendor]) => [word, vendor]);
  expect(rows.length).toBeGreaterThan(10);
  expect(VENDORS).toEqual(rows);
});

it.each([
  ['azure/gpt-4o-mini', 'OpenAI'],
  ['bedrock/global.anthropic.claude-haiku-4-5-20251001-v1:0', 'Anthropic'],
  ['openrouter/z-ai/glm-4.6v', 'Z.ai'],
  ['llamacpp/default', null],
])('the vendor of %s is %s', (model, vendor) => {
  expect(vendorOf(model)).toBe(vendor);
});

it('a judge of an unknown vendor is of nobody’s', () => {
  expect(sameVendor('lab/judge', ['lab/judge'])).toEqual([]);
  expect(sameVendor('azure/gpt-4.1-mini', ['lab/gpt-5', 'lab/qwen3'])).toEqual(['lab/gpt-5']);
});
