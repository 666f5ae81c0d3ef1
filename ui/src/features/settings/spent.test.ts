import { expect, test } from 'vitest';
import { wordsIn } from '../../locales';
import { spentToday } from './spent';

test.each([
  [0, 0, 'Today: $0.00, 0 tokens.'],
  [0, 512_008, 'Today: 512,008 tokens. No price is known for them.'],
  [0.0843, 1_000, 'Today: $0.084, 1,000 tokens.'],
  [2.04, 1, 'Today: $2.04, 1 token.'],
])('%d USD and %d tokens', (spent_today_usd, spent_today_tokens, line) => {
  expect(spentToday({ spent_today_usd, spent_today_tokens }, wordsIn('en'), 'en')).toBe(line);
});
