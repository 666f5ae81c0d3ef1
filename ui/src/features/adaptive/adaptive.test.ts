import { expect, it } from 'vitest';
import type { AdaptiveView, Job, RunTask } from '../../ipc/gen';
import { FakeJobs } from '../../platform/fakeJobs';
import AdaptiveLink from '../../shared/adaptive/AdaptiveLink.svelte';
import { parsePlace } from '../../shared/route.svelte';
import { find, openScreen, screensForTests, settle, text } from '../../shared/screenForTests';
import { HERE, JOB, VIEW } from './adaptive.fixture';
import Screen from './Screen.svelte';

screensForTests();

/** The views that are listed, by their ids; a test may change them. */
async function open(at: string, views: AdaptiveView[], ...underWay: Job[]): Promise<FakeJobs> {
  const jobs = new FakeJobs();
  jobs.tell(...underWay);
  await openScreen(Screen, {
    at,
    jobs,
    answers: { adaptive_list: () => views, adaptive_show: ({ id }) => views.find((one) => one.id === id)! },
  });
  await settle();
  return jobs;
}
const PAGE = `#/adaptive/${VIEW.id}`;
const standing = () => find('[data-estimate]')?.dataset['estimate'];
const OTHERS: AdaptiveView = { ...VIEW, is_over: false };
const CUT: AdaptiveView = { ...VIEW, found: { ...VIEW.found, stopped: 'the budget was spent' } };

it('says of each in the list how far it is', async () => {
  const views = [HERE, OTHERS, VIEW, CUT].map((view, place) => ({ ...view, id: String(place) }));
  await open('#/adaptive', views);
  const states = [...document.querySelectorAll('[data-adaptive]')].map((row) => row.children[5]?.textContent);
  expect(states).toEqual(['in progress', 'unfinished', 'complete', 'ended early']);
});

it('calls an estimate preliminary while it may change, and none by the sign for none', async () => {
  const unasked = { ...HERE, found: { ...HERE.found, asked: 0 } };
  const views = [HERE, OTHERS, VIEW, unasked].map((view, place) => ({ ...view, id: String(place) }));
  await open('#/adaptive', views);
  const cells = [...document.querySelectorAll('[data-adaptive]')].map((row) =>
    row.children[3]?.textContent?.replace(/\s+/g, ' ').trim(),
  );
  expect(cells).toEqual(['0.5000 ± 0.090 so far', '0.5000 ± 0.090 so far', '0.5000 ± 0.090', '—']);
  for (const [view, word] of [
    [OTHERS, 'so far'],
    [VIEW, '95 % interval'],
  ] as const) {
    await open(PAGE, [view]);
    expect(find('[data-mean] span')?.textContent).toBe(word);
  }
});

it('that this process makes is no other one’s before its job is told, nor after', async () => {
  const jobs = await open(PAGE, [HERE]);
  expect([standing(), find('[data-open]'), find('#remove-adaptive')]).toEqual(['under', null, null]);
  expect(find<HTMLButtonElement>('#cancel-adaptive')?.disabled).toBe(true);
  jobs.tell(JOB);
  await settle();
  expect(find<HTMLButtonElement>('#cancel-adaptive')?.disabled).toBe(false);
  jobs.tell({ ...JOB, finished: true });
  await settle();
  expect([standing(), find('[data-open]'), find('#remove-adaptive')]).toEqual(['under', null, null]);
});

it('that another process makes, or none, says so and can be removed', async () => {
  await open(PAGE, [OTHERS]);
  expect(standing()).toBe('open');
  expect(find('[data-open]')).not.toBeNull();
  expect([find('#cancel-adaptive'), find('#remove-adaptive') !== null]).toEqual([null, true]);
});

it('is as far as its attempts are, and says when a run of it is scored', async () => {
  const jobs = await open(PAGE, [HERE], JOB);
  const far = () => find('[data-under-way]')?.textContent?.trim();
  expect([far(), find<HTMLProgressElement>('progress')?.value]).toEqual(['3 of about 20 tasks', 3]);
  jobs.tell({ ...JOB, done: 12, news: 2 });
  await settle();
  expect([far(), find<HTMLProgressElement>('progress')?.value]).toEqual(['Scoring', 12]);
  jobs.tell({ ...JOB, done: 13, news: 3, cancelling: true });
  await settle();
  expect([far(), find<HTMLButtonElement>('#cancel-adaptive')?.disabled]).toEqual(['Cancelling…', true]);
});

it('leads to the transcript of every task, one without a score in the newest run that tried it', async () => {
  const found = { ...VIEW.found, runs: ['lab_a/1', 'lab_a/2', 'lab_a/3'] };
  const has: Record<string, string[]> = {
    'lab_a/1': ['L1-001', 'L2-001'],
    'lab_a/2': ['L2-001'],
    'lab_a/3': ['L1-002'],
  };
  await openScreen(Screen, {
    at: PAGE,
    answers: {
      adaptive_show: () => ({ ...VIEW, found }),
      run_tasks: ({ run }) => (has[run] ?? []).map((id) => ({ id }) as RunTask),
    },
  });
  await settle();
  const links = [...document.querySelectorAll<HTMLAnchorElement>('[data-task]')].map((link) =>
    link.getAttribute('href'),
  );
  expect(links).toEqual(['#/runs/lab_a%2F1/L1-001', '#/runs/lab_a%2F1/L1-002', '#/runs/lab_a%2F2/L2-001']);
});

it('says each fact of it once', async () => {
  await open(PAGE, [VIEW]);
  const facts = [...document.querySelectorAll('dl.facts dt')].map((one) => one.textContent);
  expect(facts).toContain('Tasks expected');
  expect(text().split('28')).toHaveLength(2);
});

it('is named for what it is while it is awaited or missing, and calls a cost that nobody knows none that it is', async () => {
  const gone = { code: 'not_found', message: 'there is no adaptive run 7' } as const;
  await openScreen(Screen, { at: '#/adaptive/7', failing: { adaptive_show: gone } });
  expect([find('h2')?.textContent, text().includes(gone.message)]).toEqual(['Adaptive run', true]);
  const cost = () =>
    [...document.querySelectorAll('dl.facts dt')].find((one) => one.textContent === 'Cost')?.nextElementSibling
      ?.textContent;
  await open(PAGE, [VIEW]);
  expect(cost()?.trim()).toBe('$0.25');
  await open(PAGE, [{ ...VIEW, found: { ...VIEW.found, usd: null } }]);
  expect(cost()?.trim()).toBe('—');
});

it('is begun from the list with its scope', async () => {
  await open('#/adaptive', []);
  find('#new-adaptive')?.click();
  expect(parsePlace(location.hash)).toMatchObject({ screen: 'runs', query: { new: '1', scope: 'adaptive' } });
});

it('beside a run says what it is a part of, or why that is not known', async () => {
  const answers = { adaptive_list: () => [HERE] };
  const beside = { props: { run: 'lab_a/1' }, at: '#/runs/lab_a%2F1' };
  await openScreen(AdaptiveLink as never, { ...beside, answers });
  expect(find('[data-part-of]')?.textContent).toContain('0.5000 ± 0.090 (so far)');
  const failing = { adaptive_list: { code: 'storage', message: 'the disk refuses' } as const };
  await openScreen(AdaptiveLink as never, { ...beside, failing });
  await settle();
  expect(find('[role="alert"]')?.textContent).toContain('the disk refuses');
});

it('that is over says whether it came to what was wished', async () => {
  await open(PAGE, [VIEW]);
  expect([standing(), find('[data-stopped]'), find('[data-open]')]).toEqual(['reached', null, null]);
  await open(PAGE, [CUT]);
  expect([standing(), text().includes('the budget was spent')]).toEqual(['stopped', true]);
});
