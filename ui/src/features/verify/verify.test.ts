import { expect, it } from 'vitest';
import type { ImportResult, Verification } from '../../ipc/gen';
import { findingForTests } from '../../shared/findingForTests';
import { find, openScreen, put, screensForTests, settle, text } from '../../shared/screenForTests';
import Screen from './Screen.svelte';

const FOUND: Verification = {
  file: 'gpt.koab',
  ok: false,
  subject: {
    model: 'openai/gpt',
    run: 'openai_gpt/20261122_100000',
    protocol: 'leaderboard',
    repetitions: 1,
    levels: { L1: 4 },
    scorers: ['leaderboard'],
    judges: ['openai/judge'],
    pack: { label: 'starter@1', tasks: 28, tasks_sha256: 'a', tools_sha256: 'b', prompts_sha256: 'c' },
    cache: {
      mode: 'read',
      snapshot: null,
      records_sha256: null,
      hit: 3,
      miss: 1,
      injected: 0,
      refused: 0,
      live: 0,
      hit_rate: 0.75,
    },
    hardware: null,
    started_ms: 1,
    ended_ms: 2,
  },
  made_by: 'koab 0.1.0',
  created: '2026-11-22T10:00:00',
  signature: 'unsigned',
  signed_by: null,
  checks: [
    findingForTests({ code: 'files', severity: 'pass', sentence: 'all files are there' }),
    findingForTests({ code: 'signature', severity: 'note', file: 'koab.sig', sentence: 'not signed' }),
    findingForTests({ code: 'verdicts', file: 'verdicts/leaderboard.jsonl', sentence: 'line 3 is another verdict' }),
  ],
  failures: 4,
  counts: { files: 20, bytes: 1000, reports: 1, values: 240, judged: 80, tasks: 28, calls: 30, verdicts: 90 },
};

const TAKEN: ImportResult = {
  id: '1-1',
  items: [
    {
      what: 'run',
      source: 'gpt.koab',
      id: 'openai_gpt/20261122_100000',
      model: 'openai/gpt',
      levels: ['L1'],
      outcome: 'added',
      reason: null,
      notes: [],
    },
  ],
  left_alone: 0,
  cancelled: false,
  seconds: 0.1,
};

screensForTests();

const PROPS = { path: '/home/me/gpt.koab' };

it('what does not fit comes first, with its place, and nothing is offered to be taken in', async () => {
  await openScreen(Screen, { props: PROPS, answers: { bundle_verify: () => FOUND } });
  const states = [...document.querySelectorAll('tbody tr')].map((row) => row.getAttribute('data-severity'));
  expect(states).toEqual(['error', 'note', 'pass']);
  expect(document.querySelector('tbody tr td:nth-child(3)')?.textContent).toBe('verdicts/leaderboard.jsonl');
  expect(document.querySelector('[data-verdict]')?.getAttribute('data-verdict')).toBe('failed');
  expect(text()).toContain('4 mismatches');
  expect(text()).toContain('3 more mismatches not listed');
  expect(text()).toContain('75.0 %');
  expect(document.querySelector('#take')).toBeNull();
});

it('a bundle that verifies can be taken in, and a key can be demanded', async () => {
  const keys: (string | null)[] = [];
  await openScreen(Screen, {
    props: PROPS,
    answers: {
      bundle_verify: ({ key }) => {
        keys.push(key);
        return {
          ...FOUND,
          ok: true,
          failures: 0,
          checks: FOUND.checks.slice(0, 2),
          signature: key ? 'trusted' : 'unsigned',
          signed_by: key,
        };
      },
      import_files: ({ paths }) => {
        expect(paths).toEqual(['/home/me/gpt.koab']);
        return TAKEN;
      },
    },
  });
  find('#take')?.click();
  await settle();
  expect(document.querySelector('[data-taken] a')?.getAttribute('href')).toBe('#/runs/openai_gpt%2F20261122_100000');
  await put('#key', ' RWabc ');
  find<HTMLFormElement>('form')?.requestSubmit();
  await settle();
  expect(keys).toEqual([null, 'RWabc']);
  expect(text()).toContain('signed with the requested key');
});
