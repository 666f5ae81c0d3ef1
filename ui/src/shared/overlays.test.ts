import { flushSync, mount, unmount, createRawSnippet } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import ConfirmDialog from './ConfirmDialog.svelte';
import Dialog from './Dialog.svelte';
import Tabs from './Tabs.svelte';

let shown: Record<string, unknown> | undefined;

beforeEach(() => void vi.useFakeTimers());

afterEach(async () => {
  if (shown) await unmount(shown);
  shown = undefined;
  vi.useRealTimers();
});

const find = (selector: string) => document.querySelector<HTMLElement>(selector);
const content = (html: string) => createRawSnippet(() => ({ render: () => html }));

async function settled(): Promise<void> {
  await vi.advanceTimersByTimeAsync(50);
  flushSync();
}

function press(key: string, more: KeyboardEventInit = {}): void {
  const target = document.activeElement ?? document.body;
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
}

it('a dialog is named, takes the focus and closes on Esc, but not in the middle of a syllable', async () => {
  const onClose = vi.fn();
  const children = content('<input id="note" />');
  shown = mount(Dialog, {
    target: document.body,
    props: { open: true, title: 'Flag', description: 'Why?', onClose, children },
  });
  await settled();
  const labelled = find('[role="dialog"]')?.getAttribute('aria-labelledby');
  expect(document.getElementById(labelled ?? '')?.textContent).toBe('Flag');
  expect(find('[role="dialog"]')?.contains(document.activeElement)).toBe(true);
  press('Escape', { isComposing: true });
  await settled();
  expect(onClose).not.toHaveBeenCalled();
  press('Escape');
  await settled();
  expect(onClose).toHaveBeenCalledTimes(1);
});

it('a question has its focus on the safe answer and stays while it is being carried out', async () => {
  const [onConfirm, onCancel] = [vi.fn(), vi.fn()];
  const words = { title: 'Remove?', body: 'All of it.', confirm: 'Remove', cancel: 'Keep' };
  shown = mount(ConfirmDialog, { target: document.body, props: { open: true, ...words, onConfirm, onCancel } });
  await settled();
  expect(document.activeElement?.textContent).toBe('Keep');
  find('[data-answer="confirm"]')?.click();
  expect(onConfirm).toHaveBeenCalledTimes(1);
  await unmount(shown);
  shown = mount(ConfirmDialog, {
    target: document.body,
    props: { open: true, busy: true, ...words, onConfirm, onCancel },
  });
  await settled();
  press('Escape');
  await settled();
  expect(onCancel).not.toHaveBeenCalled();
});

it('what goes wrong in a dialog is scrolled to, when it comes up and when it still stands', async () => {
  const seen: (string | null)[] = [];
  // What no page draws, nothing scrolls to.
  Element.prototype.scrollIntoView = function (this: Element) {
    seen.push(this.textContent);
  };
  const children = content('<form><input /></form>');
  shown = mount(Dialog, { target: document.body, props: { open: true, title: 'Long', onClose: vi.fn(), children } });
  await settled();
  const form = find('.dialog-body form');
  form?.insertAdjacentHTML('beforeend', '<p>a remark</p>');
  await settled();
  expect(seen).toEqual([]);
  form?.insertAdjacentHTML('beforeend', '<div><p role="alert">refused</p></div>');
  await settled();
  expect(seen).toEqual(['refused']);
  form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  expect(seen).toEqual(['refused', 'refused']);
});

it('tabs move with the arrow keys and say which part is shown', async () => {
  const onChange = vi.fn();
  const tabs = [
    { id: 'tools', label: 'Tools', count: 3 },
    { id: 'path', label: 'Path' },
  ];
  const children = content('<p>shown</p>');
  shown = mount(Tabs, { target: document.body, props: { tabs, value: 'tools', label: 'Parts', onChange, children } });
  await settled();
  expect(find('[role="tab"][aria-selected="true"]')?.textContent).toContain('Tools');
  expect(document.querySelectorAll('p')).toHaveLength(1);
  find('[data-tab="tools"]')?.focus();
  press('ArrowRight');
  await settled();
  expect(onChange).toHaveBeenCalledWith('path');
});
