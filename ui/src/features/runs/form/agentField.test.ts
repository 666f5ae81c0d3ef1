import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentRow } from '../../../ipc/gen';
import { createClient } from '../../../ipc/client';
import { createFake } from '../../../platform/fake';
import HostForTests from '../../../shared/HostForTests.svelte';
import { locale } from '../../../shared/locale.svelte';
import { settle } from '../../../shared/settleForTests';
import AgentField from './AgentField.svelte';

const row = (name: string, remark: string | null): AgentRow => ({
  name,
  kind: 'command',
  verified: null,
  wire: null,
  install: null,
  own_model: false,
  contained: remark === null,
  remark,
  checked: null,
});
const AGENTS = [
  row('held', null),
  row('free', 'free runs on this computer itself'),
  { ...row('chat', null), kind: 'mcp-host' } as AgentRow,
];

describe('the note beside a chosen agent', () => {
  let shown: Record<string, unknown> | null = null;
  const open = (agent: string) => {
    const platform = createFake({
      answers: {
        agents_list: () => AGENTS,
        agent_row: ({ agent }) => ({ ...row(agent as string, `${agent as string} is of a file`), own_model: true }),
      },
    });
    const host = { platform, client: createClient(platform) };
    shown = mount(HostForTests, {
      target: document.body,
      props: { host, shown: AgentField, props: { agent, ownModel: false } },
    });
    flushSync();
  };
  const note = () => document.querySelector('[data-agent-note]')?.textContent ?? '';

  beforeEach(() => {
    document.body.replaceChildren();
    locale.choose('en');
    vi.useFakeTimers();
  });
  afterEach(async () => {
    if (shown) await unmount(shown);
    vi.useRealTimers();
  });

  it.each([
    ['held', 'Runs in a container'],
    ['free', 'free runs on this computer itself'],
    ['my-agent.json', 'my-agent.json is of a file'],
  ])('of %s says where its run is made', async (agent, said) => {
    open(agent);
    await settle();
    expect(note()).toContain(said);
    // A model of its own is a choice where the definition has it.
    expect(document.querySelector('#own-model') !== null).toBe(agent === 'my-agent.json');
    document.querySelector<HTMLInputElement>('#own-model')?.click();
    flushSync();
    if (agent === 'my-agent.json') expect(note()).toContain('not comparable');
    if (agent !== 'held') expect(note()).not.toContain('Runs in a container');
  });

  it('of one that is used by hand says what the user does, and asks a model of its own', async () => {
    open('');
    await settle();
    expect(document.querySelector('#agent option[value="chat"]')).not.toBeNull();
    const select = document.querySelector<HTMLSelectElement>('#agent');
    if (!select) throw new Error('no choice');
    select.value = 'chat';
    select.dispatchEvent(new Event('change', { bubbles: true }));
    flushSync();
    expect(note()).toContain('paste its answer');
    expect(note()).toContain('not comparable');
    expect(document.querySelector('#own-model')).toBeNull();
  });
});
