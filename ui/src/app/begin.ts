// The page begins: its host and its language are found, and what is shown first is mounted.
import { mount } from 'svelte';
import { toWireError } from '../ipc/errors';
import { fetchFirst } from '../locales';
import type { Platform } from '../platform/types';
import { locale } from '../shared/locale.svelte';
import { render } from '../shared/sentence';
import App from './App.svelte';
import Outside from './Outside.svelte';
import Unbegun from './Unbegun.svelte';

/** Mounts the page of the host, or why there is none; never rejects. Answers what was mounted. */
export async function begin(
  target: HTMLElement,
  findPlatform: () => Promise<Platform | null>,
): Promise<ReturnType<typeof mount>> {
  try {
    // The first picture is in the reader's language.
    const [platform] = await Promise.all([findPlatform(), fetchFirst(locale.first(navigator.language.slice(0, 2)))]);
    return platform ? mount(App, { target, props: { platform } }) : mount(Outside, { target });
  } catch (error) {
    target.replaceChildren();
    return mount(Unbegun, { target, props: { why: render(toWireError(error).message, 'en') } });
  }
}
