import { expect, it } from 'vitest';
import type { ModelSummary, PriceRow } from '../../ipc/gen';
import { priceOf } from './prices';

const row = (model: string, input: number, own = false): PriceRow => ({
  model,
  input,
  output: 2 * input,
  as_of: '2026-01-01',
  source: null,
  unconfirmed: false,
  own,
});
const ROWS = [
  row('azure/gpt-4o', 2.5),
  row('azure/gpt-4o-*', 1),
  row('azure/gpt-4o-mini', 0.15),
  row('ollama/*', 0),
  row('bedrock/us.nova:0', 0.06),
  row('azure/gpt-4o-mini-*', 9, true),
  row('openai_compat/judge', 3),
];
const lab = { id: 'lab/', connection: { name: 'lab', provider: 'openai_compat' } } as unknown as ModelSummary;

it.each([
  ['azure/gpt-4o', 2.5],
  ['Azure/GPT-4o ', 2.5],
  ['azure/gpt-4o-mini', 0.15],
  ['azure/gpt-4o-nano', 1],
  ['azure/gpt-4o-mini-2', 9],
  ['ollama/qwen3:8b', 0],
  ['bedrock/us.nova', 0.06],
  ['bedrock/us.nova:1', 0.06],
  ['lab/judge', 3],
  ['openai/gpt-4o', undefined],
  ['azure/gpt-5', undefined],
])('the price of %s is that of its provider and its closest entry', (model, input) => {
  expect(priceOf(model, [lab], ROWS)?.input).toBe(input);
});
