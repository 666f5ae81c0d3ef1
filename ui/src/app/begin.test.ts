import { flushSync, unmount } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFake } from '../platform/fake';
import { violations } from '../shared/axeForTests';
import { locale } from '../shared/locale.svelte';
import { settle } from '../shared/settleForTests';
import { begin } from './begin';
import { Unheard } from './unheard.svelte';

let page: Awaited<ReturnType<typeof begin>> | undefined;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  if (page) void unmount(page);
  page = undefined;
  document.body.replaceChildren();
  vi.useRealTimers();
});

function target(): HTMLElement {
  const app = document.createElement('div');
  document.body.append(app);
  return app;
}

it.each([
  ['en', 'The page could not start', 'restart the program', 'Retry'],
  ['ko', '페이지를 시작할 수 없습니다', '프로그램을 다시 시작', '다시 시도'],
] as const)('a page that cannot begin says in %s why and what to do', async (language, title, remedy, retry) => {
  const app = target();
  page = await begin(app, () => Promise.reject(new TypeError('Failed to fetch')));
  locale.choose(language);
  flushSync();
  expect(app.querySelector('h1')?.textContent).toBe(title);
  const [body, why] = [...app.querySelectorAll('p')].map(({ textContent }) => textContent);
  expect(body).toContain(remedy);
  expect(why).toBe('Failed to fetch');
  expect(app.querySelector('#try-again')?.textContent?.trim()).toBe(retry);
  expect(await violations()).toEqual([]);
});

it('a page without a session says so, and no failure', async () => {
  const app = target();
  page = await begin(app, async () => null);
  flushSync();
  expect([app.querySelector('[data-outside]') !== null, app.querySelector('[data-unbegun]')]).toEqual([true, null]);
});

it('says what does not reach the window, until that is read', async () => {
  vi.stubGlobal('ResizeObserver', undefined);
  const refused = () => Promise.reject(new Error('not allowed'));
  const app = target();
  page = await begin(app, async () => ({
    ...createFake(),
    onDrop: refused,
    onLink: refused,
    onCloseRequested: refused,
  }));
  await settle(2_000);
  locale.choose('en');
  flushSync();
  const told = () => [...app.querySelectorAll('[data-unheard] li')].map(({ textContent }) => textContent);
  expect(told()).toHaveLength(3);
  expect(told()[0]).toContain('“Import…”');
  app.querySelector<HTMLElement>('[data-unheard] button')?.click();
  flushSync();
  expect(told()).toEqual([]);
  vi.unstubAllGlobals();
});

it('what is heard ends with the page, and what is not ends without a word', async () => {
  const unheard = new Unheard();
  const end = vi.fn();
  const ends = [
    unheard.hear('link', Promise.resolve(end)),
    unheard.hear('drop', Promise.reject(new Error('not allowed'))),
  ];
  ends.forEach((stop) => stop());
  await vi.advanceTimersByTimeAsync(0);
  expect([end.mock.calls.length, unheard.news]).toEqual([1, ['drop']]);
});
