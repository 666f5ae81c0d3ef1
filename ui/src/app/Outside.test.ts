import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { violations } from '../shared/axeForTests';
import { locale } from '../shared/locale.svelte';
import Outside from './Outside.svelte';

let page: ReturnType<typeof mount>;
beforeEach(() => {
  vi.useFakeTimers();
  page = mount(Outside, { target: document.body });
  flushSync();
});
afterEach(() => {
  void unmount(page);
  vi.useRealTimers();
});

it.each([
  ['en', 'This tab is not signed in', 'Retry'],
  ['ko', '이 탭은 로그인되어 있지 않습니다', '다시 시도'],
] as const)('a tab without a session says in %s what to do', async (language, title, retry) => {
  locale.choose(language);
  flushSync();
  expect(document.querySelector('h1')?.textContent).toBe(title);
  const remedies = [...document.querySelectorAll('li')].map(({ textContent }) => textContent);
  expect(remedies).toHaveLength(3);
  expect(remedies[1]).toContain('koab serve');
  expect(remedies[2]).toContain('koab open');
  expect(document.querySelector('#try-again')?.textContent?.trim()).toBe(retry);
  expect(await violations()).toEqual([]);
});
