import { expect, it, vi } from 'vitest';
import type { Client } from '../../ipc/client';
import type { ScenarioTrial } from '../../ipc/gen';
import { MAX_CHARACTERS, TrialLog } from './trialLog.svelte';

const trial = { scenario: 's', instance: 'i', repetition: 1 } as ScenarioTrial;
const open = (call: unknown) => new TrialLog({ call } as Client, () => ({ id: 'r1', trial }));

it('goes on where the last piece ended, after a failure too', async () => {
  const call = vi
    .fn()
    .mockResolvedValueOnce({ text: 'one\n', next: 4, cut: false })
    .mockRejectedValueOnce({ code: 'storage', message: 'the disk refuses' })
    .mockResolvedValueOnce({ text: 'two\n', next: 8, cut: false });
  const log = open(call);
  await log.load();
  await log.load();
  expect([log.text, log.error?.message]).toEqual(['one\n', 'the disk refuses']);
  await log.load();
  expect([log.text, log.error]).toEqual(['one\ntwo\n', null]);
  expect(call.mock.calls.map(([, { after }]) => after)).toEqual([0, 4, 4]);
});

it('keeps the last lines of a long log, whole ones, and says so', async () => {
  const line = `${'x'.repeat(99)}\n`;
  const text = line.repeat(Math.ceil(MAX_CHARACTERS / 100) + 10);
  const log = open(async () => ({ text, next: text.length, cut: false }));
  await log.load();
  expect(log.cut).toBe(true);
  expect(log.text.length).toBeLessThanOrEqual(MAX_CHARACTERS);
  expect(log.text.startsWith(line)).toBe(true);
});
