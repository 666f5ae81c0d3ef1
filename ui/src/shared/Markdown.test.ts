import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createClient } from '../ipc/client';
import { createFake } from '../platform/fake';
import { locale } from './locale.svelte';
import Markdown from './Markdown.svelte';

let mounted: ReturnType<typeof mount> | undefined;
let opened: string[];
beforeEach(() => {
  locale.choose('en');
  opened = [];
});
afterEach(async () => {
  if (mounted) await unmount(mounted);
  mounted = undefined;
});

// What `provideHost` would give; a mounted component takes it as context.
async function show(text: string): Promise<void> {
  const platform = createFake({ host: { open: async (target) => void opened.push(target) } });
  const { default: Inside } = await import('./HostForTests.svelte');
  mounted = mount(Inside, {
    target: document.body,
    props: { host: { platform, client: createClient(platform) }, shown: Markdown, props: { text } },
  });
  flushSync();
}

it('a link is opened outside and never inside', async () => {
  await show('[지도](https://map.example/?q=1)');
  const event = new MouseEvent('click', { bubbles: true, cancelable: true });
  document.querySelector('a')?.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(true);
  expect(opened).toEqual(['https://map.example/?q=1']);
});

it('the text can be read as it was written', async () => {
  await show('**굵게**');
  expect(document.querySelector('strong')?.textContent).toBe('굵게');
  document.querySelectorAll<HTMLElement>('[data-markdown] [aria-pressed]')[1]?.click();
  flushSync();
  expect(document.querySelector('pre')?.textContent).toBe('**굵게**');
});

it('a very long text is cut until the rest is asked for', async () => {
  await show('가'.repeat(30_000));
  expect(document.querySelector('.rendered')?.textContent?.trim()).toHaveLength(20_000);
  document.querySelector<HTMLElement>('[data-markdown] > button')?.click();
  flushSync();
  expect(document.querySelector('.rendered')?.textContent?.trim()).toHaveLength(30_000);
});
