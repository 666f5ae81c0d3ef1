// A screen as tests open it: below the scripted host, at an address, with time in the test's hands.
import { mount, unmount, type Component } from 'svelte';
import { afterEach, beforeEach, vi } from 'vitest';
import { createClient } from '../ipc/client';
import { createFake, type FakeOptions } from '../platform/fake';
import type { GivenHost } from './host';
import HostForTests from './HostForTests.svelte';
import { route } from './route.svelte';
import { settle } from './settleForTests';

export { settle };

/** jsdom lays nothing out. */
export class NoSizes {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

let mounted: Record<string, unknown> | undefined;

/** Call it once a file, outside its tests: what each test opens is gone after it. */
export function screensForTests(): void {
  let unroute = () => {};
  beforeEach(() => {
    localStorage.clear();
    vi.stubGlobal('ResizeObserver', NoSizes);
    vi.useFakeTimers();
    unroute = route.begin();
  });
  afterEach(async () => {
    await close();
    unroute();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
}

/** Opens a screen; `before` is done while the host is there and the screen is not yet. */
export async function openScreen(
  shown: Component<never>,
  {
    at,
    before,
    props = {},
    ...options
  }: FakeOptions & {
    at?: string;
    before?: (host: GivenHost) => Promise<void>;
    props?: Record<string, unknown>;
  },
): Promise<void> {
  await close();
  if (at !== undefined) route.go(at, { replace: true });
  const platform = createFake(options);
  const host = { platform, client: createClient(platform) };
  await before?.(host);
  mounted = mount(HostForTests, { target: document.body, props: { host, shown, props } });
  await settle();
}

export const find = <E extends HTMLElement = HTMLElement>(selector: string): E | null =>
  document.querySelector<E>(selector);

export const text = (): string => document.body.textContent ?? '';

/** Types into a field, or chooses in it, as a user does. */
export async function put(selector: string, value: string): Promise<void> {
  const field = find<HTMLInputElement>(selector);
  if (!field) throw new Error(`no ${selector}`);
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
  await settle();
}

/** The screen is left. */
export async function close(): Promise<void> {
  if (mounted) await unmount(mounted);
  mounted = undefined;
}
