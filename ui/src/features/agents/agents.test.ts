import type { Component } from 'svelte';
import { expect, it, vi } from 'vitest';
import type { AgentCheck, AgentRow } from '../../ipc/gen';
import { find, openScreen, screensForTests, settle, text } from '../../shared/screenForTests';
import Screen from './Screen.svelte';

screensForTests();

const row = (name: string, kind: string): AgentRow => ({
  ...{ name, kind, verified: null, wire: null, install: null, own_model: false },
  ...{ contained: true, remark: null, checked: null },
});
const CHECK: AgentCheck = {
  ...{ name: 'codex', version: null, definition: '', contained: true, passed: false, startup_s: null, seconds: 1 },
  ...{ wire: null, offered_as: null, offered_at_once: false, own_tools: [], call_arrived: false, answer_equal: false },
  ...{ side_calls: 0, outlived: false, hosts_asked_for: [], goes_on_after_error: null },
  traps: ['it never called the model'],
};

const open = (agent_check: () => AgentCheck = () => ({ ...CHECK })) =>
  openScreen(Screen as Component<never>, {
    answers: { agents_list: () => [row('codex', 'command'), row('mcp-host', 'mcp-host')], agent_check } as never,
  });

it('an agent that is used by hand says so, and there is nothing to check', async () => {
  await open();
  const cells = [...(find('[data-agent="mcp-host"]')?.querySelectorAll('td') ?? [])].map(
    ({ textContent }) => textContent,
  );
  expect(cells[1]).toBe('By hand');
  expect(find('[data-agent="mcp-host"] button')).toBeNull();
  expect(find('[data-agent="codex"] button')).not.toBeNull();
});

it('what came of a check is brought to where it is seen, the second time as well', async () => {
  const seen = vi.fn();
  Element.prototype.scrollIntoView = seen;
  await open();
  for (const times of [1, 2]) {
    find('[data-agent="codex"] button')?.click();
    await settle();
    expect(find('[data-agent-checked="false"]')).not.toBeNull();
    expect(text()).toContain('it never called the model');
    expect(seen).toHaveBeenCalledTimes(times);
  }
});
