import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ModelSummary } from '../../ipc/gen';
import { createClient } from '../../ipc/client';
import { createFake } from '../../platform/fake';
import { violations } from '../axeForTests';
import HostForTests from '../HostForTests.svelte';
import { keepUsed } from '../models/lastUsed';
import { settle } from '../settleForTests';
import JudgePicker from './JudgePicker.svelte';

const entry = (id: string, more: Partial<ModelSummary> = {}): ModelSummary => ({
  id,
  kind: 'server',
  default_base_url: null,
  needs_base_url: false,
  needs: [],
  ...more,
});
const lab = { name: 'lab', provider: 'openai_compat', models: ['judge-1', 'gpt-5'] } as unknown as NonNullable<
  ModelSummary['connection']
>;
const PRICES = [
  { model: 'openai_compat/gpt-5', input: 1.25, output: 10, as_of: '', source: null, unconfirmed: true, own: false },
];
const MODELS = [
  entry('azure/', { needs: [{ any_of: ['AZURE_OPENAI_API_KEY'], present: false }] }),
  entry('lab/', { connection: lab }),
  entry('local/Qwen/Q', { kind: 'local' }),
  entry('openai/', { needs: [{ any_of: ['OPENAI_API_KEY'], present: true }] }),
];

let stop: () => void;
const chosen = $state<{ judges: string[]; judged: string[] }>({ judges: [], judged: [] });
const changed = vi.fn((judges: string[]) => {
  chosen.judges = judges;
});

function show(judges: string[]): void {
  chosen.judges = judges;
  flushSync();
}

function open(): void {
  const target = document.createElement('form');
  const label = Object.assign(document.createElement('label'), { htmlFor: 'judges', textContent: 'Judges' });
  document.body.append(label, target);
  const platform = createFake({ answers: { prices_list: () => PRICES } });
  const props = {
    id: 'judges',
    models: MODELS,
    get judges() {
      return chosen.judges;
    },
    get judged() {
      return chosen.judged;
    },
    onChange: changed,
  };
  const host = { platform, client: createClient(platform) };
  const picker = mount(HostForTests, { target, props: { host, shown: JudgePicker, props } });
  stop = () => {
    void unmount(picker);
    document.body.replaceChildren();
  };
}

const input = () => document.querySelector<HTMLInputElement>('#judges')!;
const options = () =>
  [...document.querySelectorAll<HTMLElement>('[role="option"]')].map(({ dataset }) => dataset['value']);
const chips = () => [...document.querySelectorAll<HTMLElement>('[data-chip]')].map(({ dataset }) => dataset['chip']);

function type(text: string): void {
  input().value = text;
  input().dispatchEvent(new Event('input', { bubbles: true }));
  flushSync();
}

function press(key: string): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  input().dispatchEvent(event);
  flushSync();
  return event;
}

beforeEach(async () => {
  localStorage.clear();
  vi.useFakeTimers();
  changed.mockClear();
  open();
  chosen.judged = [];
  show([]);
  await settle();
});
afterEach(() => stop());

describe('judges are chosen', () => {
  it('from a list with the published judge first and the keys that are missing', () => {
    press('ArrowDown');
    expect(options()).toEqual(['azure/gpt-4.1-mini', 'lab/judge-1', 'lab/gpt-5', 'local/Qwen/Q']);
    const first = document.querySelector('[role="option"]')?.textContent?.replace(/\s+/g, ' ').trim();
    expect(first).toBe('azure/gpt-4.1-mini leaderboard · needs AZURE_OPENAI_API_KEY');
  });

  it('those that were used last follow the published one', () => {
    keepUsed('judge', ['openai/gpt-5', 'gone/j', 'lab/gpt-5', 'azure/gpt-4.1-mini']);
    press('ArrowDown');
    expect(options().slice(0, 4)).toEqual(['azure/gpt-4.1-mini', 'openai/gpt-5', 'lab/gpt-5', 'lab/judge-1']);
  });

  it('with price, key and vendor of each', () => {
    chosen.judged = ['azure/gpt-4o'];
    keepUsed('judge', ['openai/gpt-5']);
    press('ArrowDown');
    const said = (judge: string) =>
      document.querySelector(`[data-value="${judge}"] .block`)?.textContent?.replace(/\s+/g, ' ').trim();
    expect(said('lab/gpt-5')).toBe('$1.25 in · $10.00 out per 1M tokens · unconfirmed · same vendor');
    expect(said('openai/gpt-5')).toBe('key set · same vendor');
    expect(said('azure/gpt-4.1-mini')).toBe('leaderboard · needs AZURE_OPENAI_API_KEY · same vendor');
    expect(said('lab/judge-1')).toBeUndefined();
    show(['azure/gpt-4.1-mini', 'local/Qwen/Q']);
    expect(
      [...document.querySelectorAll('[data-chip]')].map((chip) => chip.textContent?.replace(/\s+/g, ' ').trim()),
    ).toEqual(['azure/gpt-4.1-mini leaderboard no key same vendor', 'local/Qwen/Q']);
  });

  it.each([
    ['the first option', '', ['ArrowDown', 'Enter'], ['azure/gpt-4.1-mini']],
    ['the first match', 'gpt lab', ['Enter'], ['lab/gpt-5']],
    ['the one below it', 'gpt', ['ArrowDown', 'Enter'], ['lab/gpt-5']],
    ['the last one by the arrow up', '', ['ArrowDown', 'ArrowUp', 'Enter'], ['local/Qwen/Q']],
    ['a name that is not listed', 'my/judge', ['Enter'], ['my/judge']],
    ['a whole name before its longer kin', 'lab/gpt', ['Enter'], ['lab/gpt']],
    ['names that are pasted', 'a/b, c/d', ['Enter'], ['a/b', 'c/d']],
  ])('%s', (_, text, keys, names) => {
    if (text) type(text);
    keys.forEach(press);
    expect(chosen.judges).toEqual(names);
    expect(chips()).toEqual(names);
    expect(options()).toEqual([]);
  });

  it('by a press on an option', () => {
    input().click();
    flushSync();
    document.querySelector<HTMLElement>('[data-value="lab/judge-1"]')?.click();
    flushSync();
    expect(chosen.judges).toEqual(['lab/judge-1']);
  });

  it('by leaving the field with a name in it', () => {
    type('openai_compat/judge');
    input().dispatchEvent(new FocusEvent('blur'));
    flushSync();
    expect(chosen.judges).toEqual(['openai_compat/judge']);
  });

  it('by several names that are pasted, a line each', () => {
    const event = new Event('paste', { bubbles: true, cancelable: true });
    Object.assign(event, { clipboardData: { getData: () => 'a/b\nc/d\n' } });
    input().dispatchEvent(event);
    flushSync();
    expect(chosen.judges).toEqual(['a/b', 'c/d']);
    expect(event.defaultPrevented).toBe(true);
  });

  it('each once', () => {
    show(['lab/gpt-5']);
    type('lab/gpt-5');
    press('Enter');
    expect(chosen.judges).toEqual(['lab/gpt-5']);
    press('ArrowDown');
    expect(options()).not.toContain('lab/gpt-5');
  });
});

describe('judges are taken away', () => {
  it('the last one by Backspace in the empty field', () => {
    show(['lab/gpt-5', 'a/b']);
    type('x');
    press('Backspace');
    expect(changed).not.toHaveBeenCalled();
    type('');
    press('Backspace');
    expect(chosen.judges).toEqual(['lab/gpt-5']);
  });

  it('each by its own button', () => {
    show(['lab/gpt-5', 'a/b']);
    document.querySelector<HTMLElement>('[aria-label="Remove lab/gpt-5"]')?.click();
    expect(chosen.judges).toEqual(['a/b']);
  });
});

describe('keys', () => {
  it('Escape closes the list and only then what is around it', () => {
    const heard = vi.fn();
    document.addEventListener('keydown', heard);
    type('gpt');
    press('Escape');
    expect([options(), heard.mock.calls.length]).toEqual([[], 0]);
    press('Escape');
    expect(heard).toHaveBeenCalledOnce();
    document.removeEventListener('keydown', heard);
  });

  it('a key of a syllable that is being composed takes nothing', () => {
    type('my/judge');
    const key = new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
    input().dispatchEvent(key);
    expect(changed).not.toHaveBeenCalled();
  });

  it('Enter in the empty field is the form’s, unless it closes the list', () => {
    input().click();
    flushSync();
    expect(press('Enter').defaultPrevented).toBe(true);
    expect(options()).toEqual([]);
    expect(press('Enter').defaultPrevented).toBe(false);
  });
});

it('a screen reader is told the list, its options and the marked one', async () => {
  show(['lab/gpt-5']);
  type('judge');
  expect(input().getAttribute('aria-expanded')).toBe('true');
  const marked = document.getElementById(input().getAttribute('aria-activedescendant') ?? '');
  expect(marked?.dataset['value']).toBe('lab/judge-1');
  expect(await violations('region', 'page-has-heading-one', 'landmark-one-main')).toEqual([]);
});
