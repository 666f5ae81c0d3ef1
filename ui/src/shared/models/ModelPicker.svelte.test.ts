import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { violations } from '../axeForTests';
import ModelPicker from './ModelPicker.svelte';

const NAMES = ['gpt-5', 'gpt-5-mini', 'qwen3'];
const given = $state({ chosen: '' });
let stop = () => {};
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => stop());

interface Field {
  names?: readonly string[];
  prefix?: string;
  isKnown?: (id: string) => boolean;
}

function open(chosen: string, { names = NAMES, prefix = '', isKnown }: Field = {}): void {
  const label = Object.assign(document.createElement('label'), { htmlFor: 'model', textContent: 'Model' });
  document.body.append(label);
  given.chosen = chosen;
  const props = {
    id: 'model',
    options: names.map((name) => ({ value: prefix + name })),
    bare: prefix === '',
    ...(isKnown ? { isKnown } : {}),
    get chosen() {
      return given.chosen;
    },
    onChoose: (name: string) => (given.chosen = name),
  };
  const picker = mount(ModelPicker, { target: document.body, props });
  flushSync();
  stop = () => {
    void unmount(picker);
    document.body.replaceChildren();
  };
}

const input = () => document.querySelector<HTMLInputElement>('#model')!;
const options = () =>
  [...document.querySelectorAll<HTMLElement>('[role="option"]')].map(({ dataset }) => dataset['value']);

function type(text: string): void {
  input().value = text;
  input().dispatchEvent(new Event('input', { bubbles: true }));
  flushSync();
}

function press(key: string): void {
  input().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  flushSync();
}

function leave(): void {
  input().dispatchEvent(new FocusEvent('blur'));
  flushSync();
}

it('the list is whole while the field shows its choice, and what is typed filters it', async () => {
  open('qwen3');
  press('ArrowDown');
  expect(options()).toEqual(NAMES);
  type('gpt');
  expect(options()).toEqual(['gpt-5', 'gpt-5-mini', 'gpt']);
  expect(await violations('region', 'page-has-heading-one', 'landmark-one-main')).toEqual([]);
});

describe('where any text is a name', () => {
  it.each([
    ['a search and Enter take the first match', 'mini', ['Enter'], 'gpt-5-mini'],
    ['a listed name is taken before its longer kin', 'gpt-5', ['Enter'], 'gpt-5'],
    ['the arrows reach the typed name itself', 'gpt', ['ArrowUp', 'Enter'], 'gpt'],
    ['a name that is left stays', 'gpt-6', [], 'gpt-6'],
  ])('%s', (_, text, keys, name) => {
    open('qwen3');
    type(text);
    keys.forEach(press);
    leave();
    expect([given.chosen, input().value]).toEqual([name, name]);
  });

  it('a whole name comes before what it finds, where names have a provider', () => {
    open('', { prefix: 'lab/' });
    type('lab/gpt');
    press('Enter');
    expect(given.chosen).toBe('lab/gpt');
  });
});

describe('where a choice is one of those that are known', () => {
  const isKnown = (id: string) => NAMES.includes(id);

  it.each([
    ['a search that is left changes nothing', 'gpt', 'qwen3'],
    ['a name that is left is taken', 'gpt-5', 'gpt-5'],
  ])('%s', (_, text, name) => {
    open('qwen3', { isKnown });
    type(text);
    expect(given.chosen).toBe('qwen3');
    leave();
    expect([given.chosen, input().value]).toEqual([name, name]);
  });
});

it('shows another choice that comes from elsewhere, and with nothing to offer it has no list', () => {
  open('qwen3');
  given.chosen = '';
  flushSync();
  expect(input().value).toBe('');
  stop();
  open('', { names: [] });
  type('gpt');
  expect([options(), given.chosen, input().getAttribute('aria-expanded')]).toEqual([[], 'gpt', 'false']);
});
