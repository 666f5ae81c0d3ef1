import { flushSync, mount, unmount } from 'svelte';
import type { Component } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../ipc/client';
import type { Commands, FindingCode, SubmissionNames, SubmissionView } from '../../ipc/gen';
import { COMPARABILITY } from '../../platform/fakeComparability';
import { createFake, type FakeOptions } from '../../platform/fake';
import { findingForTests } from '../../shared/findingForTests';
import HostForTests from '../../shared/HostForTests.svelte';
import { locale } from '../../shared/locale.svelte';
import { route } from '../../shared/route.svelte';
import { settle } from '../../shared/settleForTests';
import { remedyOf } from './remedies';
import Screen from './Screen.svelte';

const NAMES: SubmissionNames = {
  model: 'gpt-4o',
  vendor: 'OpenAI',
  model_type: 'API',
  licence: '',
  repo: '',
  submitted_by: '',
  contact: '',
  source_url: '',
  notes: '',
};
const VIEW: SubmissionView = {
  report: 'azure_gpt-4o_20251219',
  run: 'azure_gpt-4o/20251219_113310',
  model_id: 'azure/gpt-4o',
  name: 'azure_gpt-4o_20251219_submission',
  defaults: NAMES,
  names: NAMES,
  header: ['Model', 'Vendor', 'Model Type', 'L1_SR'],
  cells: ['gpt-4o', 'OpenAI', 'API', '1.0'],
  objections: [
    findingForTests<FindingCode>({
      code: 'missing_name',
      severity: 'warning',
      file: 'submission.json',
      field: 'names.contact',
      sentence: 'the submission does not say where questions about the submission are answered',
      remedy: 'say it',
    }),
  ],
  blocked: false,
  readme: '# Ko-AgentBench',
  pull_request: '# Add results to the leaderboard: gpt-4o',
  eval_results: null,
  files: [{ path: 'combined_row.csv', bytes: 900, sha256: 'a'.repeat(64) }],
  comparability: COMPARABILITY,
};

type Asked = Commands['submission_view']['args']['request'];

let app: object | null = null;
const asked: Asked[] = [];

async function show(
  query: Record<string, string>,
  view: Partial<SubmissionView> = {},
  host: FakeOptions['host'] = {},
  answers: FakeOptions['answers'] = {},
): Promise<HTMLElement> {
  location.hash = `#/reports/${VIEW.report}/submit?${new URLSearchParams(query)}`;
  stop = route.begin();
  const platform = createFake({
    host,
    answers: {
      submission_view: ({ request }) => {
        asked.push(request);
        const names = request.names ?? { ...VIEW, ...view }.names;
        return { ...VIEW, ...view, names, cells: [names.model, names.vendor, names.model_type ?? '', '1.0'] };
      },
      ...answers,
    },
  });
  const target = document.body.appendChild(document.createElement('main'));
  app = mount(HostForTests, {
    target,
    props: {
      host: { platform, client: createClient(platform) },
      shown: Screen as Component<never>,
      props: { id: VIEW.report },
    },
  });
  await settle();
  expect(target.querySelector('h2')).not.toBeNull();
  return target;
}

let stop = () => {};

beforeEach(() => {
  locale.begin('en');
  vi.useFakeTimers();
});
afterEach(async () => {
  if (app) await unmount(app);
  app = null;
  asked.length = 0;
  stop();
  document.body.replaceChildren();
  vi.useRealTimers();
});

describe('a submission', () => {
  it('says what it is about and how much stands in its way', async () => {
    const page = await show({});
    expect(page.querySelector('h2')?.textContent).toBe('Submit gpt-4o to the leaderboard');
    expect(page.querySelector('[data-standing]')?.textContent?.trim()).toBe(
      '0 blocking, 1 that the maintainers will ask about',
    );
  });

  it('shows a name in the row as it is typed, and keeps it', async () => {
    const page = await show({ step: 'names' });
    const field = page.querySelector<HTMLInputElement>('input[name="model"]');
    if (!field) throw new Error('no field');
    field.value = 'gpt-4o (2024-11)';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    flushSync();
    expect(page.querySelector('[data-row] [data-named="true"]')?.textContent).toContain('gpt-4o (2024-11)');
    field.dispatchEvent(new Event('change', { bubbles: true }));
    await settle();
    expect(asked.at(-1)?.names?.model).toBe('gpt-4o (2024-11)');
  });

  it('asks for licence and repository of open weights alone', async () => {
    const page = await show({ step: 'names' });
    expect(page.querySelector('input[name="licence"]')).toBeNull();
    const type = page.querySelector<HTMLSelectElement>('select[name="model_type"]');
    if (!type) throw new Error('no select');
    type.value = 'OSS';
    type.dispatchEvent(new Event('change', { bubbles: true }));
    flushSync();
    expect(page.querySelector('input[name="licence"]')).not.toBeNull();
    expect(page.querySelector('input[name="repo"]')).not.toBeNull();
  });

  it('names each objection with its place and a way to it', async () => {
    const page = await show({ step: 'check' });
    const objection = page.querySelector('[data-finding="missing_name"]');
    expect(objection?.getAttribute('data-severity')).toBe('warning');
    expect(objection?.textContent).toContain('submission.json › names.contact');
    expect(objection?.querySelector('a')?.getAttribute('href')).toBe(`#/reports/${VIEW.report}/submit?step=names`);
    // In the window's words, not in those of the command line.
    expect(objection?.textContent).toContain('Fill it in under Names.');
    expect(objection?.textContent).not.toContain('say it');
  });

  it('says so when nothing stands in the way', async () => {
    const page = await show({ step: 'check' }, { objections: [] });
    expect(page.querySelector('[data-clean]')).not.toBeNull();
  });

  it('keeps folder and bundle where the user says, and the archive', async () => {
    const save = vi.fn(async (name: string) => `/home/me/${name}`);
    const page = await show(
      { step: 'save' },
      {},
      { host: 'window' as const, pick: async () => ['/home/me'], save },
      {
        submission_save: ({ under }) => ({
          place: `${under}/there`,
          report: VIEW.report,
          files: 1,
          bytes: 900,
          objections: [],
          blocked: false,
        }),
        submission_bundle: ({ under, sign }) => ({
          place: `${under}/${sign ? 'signed' : 'plain'}.koab`,
          report: VIEW.report,
          files: 1,
          bytes: 900,
          objections: [],
          blocked: false,
        }),
        submission_archive: () => ({ name: 'it.zip', base64: btoa('PK') }),
      },
    );
    expect(page.querySelector('[data-pull-request]')?.textContent).toContain('Add results to the leaderboard');
    page.querySelector<HTMLButtonElement>('[data-save="folder"]')?.click();
    await settle();
    expect(page.textContent).toContain('Saved: /home/me/there');
    page.querySelector<HTMLButtonElement>('[data-save="bundle"]')?.click();
    await settle();
    expect(page.textContent).toContain('Saved: /home/me/plain.koab');
    page.querySelector<HTMLInputElement>('[name="sign"]')?.click();
    page.querySelector<HTMLButtonElement>('[data-save="bundle"]')?.click();
    await settle();
    expect(page.textContent).toContain('Saved: /home/me/signed.koab');
    page.querySelector<HTMLButtonElement>('[data-save="zip"]')?.click();
    await settle();
    expect(page.textContent).toContain('Saved: /home/me/it.zip');
    expect(save).toHaveBeenCalledWith('it.zip', new Uint8Array([80, 75]), 'application/zip');
  });

  it('is in Korean for those who read it', async () => {
    locale.begin('ko');
    const page = await show(
      { step: 'save' },
      { blocked: true, objections: [{ ...VIEW.objections[0]!, severity: 'error' }] },
    );
    expect(page.textContent).toContain('제출을 막는 문제가 1개 남아 있습니다');
  });
});

it('every objection leads somewhere or is mended by hand', () => {
  const words = (code: FindingCode) => remedyOf(code, VIEW)?.word ?? null;
  expect(words('missing_name')).toBe('toNames');
  expect(words('low_hit_rate')).toBe('toMisses');
  expect(words('other_prompts')).toBe('toPacks');
  expect(words('other_judges')).toBe('toRun');
  expect(words('changed_file')).toBeNull();
});
