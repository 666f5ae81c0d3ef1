import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import JsonTree from './JsonTree.svelte';
import { locale } from './locale.svelte';

let mounted: ReturnType<typeof mount> | undefined;
beforeEach(() => locale.choose('en'));
afterEach(async () => {
  if (mounted) await unmount(mounted);
  mounted = undefined;
});

function show(value: unknown, depth = 1): void {
  mounted = mount(JsonTree, { target: document.body, props: { value, label: 'result', depth } });
  flushSync();
}

const rows = () => [...document.querySelectorAll<HTMLElement>('[role="treeitem"]')];
const tree = () => document.querySelector<HTMLElement>('[role="tree"]')!;
function press(target: Element, key: string, init: KeyboardEventInit = {}): void {
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init }));
  flushSync();
}
async function search(words: string): Promise<void> {
  const field = document.querySelector('input')!;
  field.value = words;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await Promise.resolve();
  flushSync();
}
const active = () => document.getElementById(tree().getAttribute('aria-activedescendant') ?? '')?.textContent?.trim();

const VALUE = { place: { name: '판교역', lat: 37.39 }, items: [1, 2] };

describe('the tree', () => {
  it('is walked and folded with the keyboard', () => {
    show(VALUE);
    expect(rows()).toHaveLength(3);
    press(tree(), 'ArrowDown');
    expect(active()).toContain('place');
    press(tree(), 'ArrowRight');
    expect(rows()).toHaveLength(5);
    press(tree(), 'ArrowRight');
    expect(active()).toContain('판교역');
    press(tree(), 'ArrowLeft');
    expect(active()).toContain('place');
    press(tree(), 'ArrowLeft');
    expect(rows()).toHaveLength(3);
  });

  it('opens what a search finds, and marks it', async () => {
    show(VALUE);
    await search('판교');
    expect(document.querySelector('mark')?.textContent).toBe('판교');
    expect(active()).toContain('name');
    await search('nothing here');
    expect(document.body.textContent).toContain('No matches');
  });

  it('takes no Enter while a syllable is composed', async () => {
    show({ a: '가', b: '가' });
    await search('가');
    const field = document.querySelector('input')!;
    press(field, 'Enter', { isComposing: true });
    expect(document.body.textContent).toContain('1 of 2');
    press(field, 'Enter');
    expect(document.body.textContent).toContain('2 of 2');
  });

  it('draws the rows in view only', () => {
    show({ items: Array.from({ length: 50_000 }, (_, i) => ({ i })) }, 2);
    expect(rows().length).toBeLessThan(60);
    expect(rows()[1]?.getAttribute('aria-setsize')).toBe('1');
    expect(document.querySelector<HTMLElement>('[role="tree"] > div')?.style.height).toBe(`${50_002 * 20}px`);
  });

  it('begins anew with another value', () => {
    show(null);
    expect(rows().map((row) => row.textContent?.trim())).toEqual(['null']);
  });
});
