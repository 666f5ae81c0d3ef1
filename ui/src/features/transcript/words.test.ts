import { describe, expect, it } from 'vitest';
import { attempt, call } from './example';
import { notMeasured } from './words';

describe('no time to the first token and no tokens', () => {
  const t = { neverAnswered: 'never', noFirstToken: 'no stream', noTokens: 'no tokens' };
  it.each([
    [attempt([], 'answer'), ['no stream', 'no tokens']],
    [{ ...attempt([], null), stop: 'model_failed' as const }, ['never', 'never']],
    [{ ...attempt([call('Tool', {})], null), stop: 'model_failed' as const }, ['no stream', 'no tokens']],
  ])('have the reason that is true', (of, reasons) => {
    expect(notMeasured(of, t)).toEqual(reasons);
  });
});
