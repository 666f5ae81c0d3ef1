import { flushSync, mount, unmount } from 'svelte';
import { expect, it } from 'vitest';
import names from '../../../src-tauri/src/first.json';
import { createFake } from '../platform/fake';
import App from './App.svelte';

it('asks at its start what the shell has asked for it', async () => {
  const asked = new Set<string>();
  const platform = createFake();
  platform.call = (command, args) => {
    expect(args, command).toEqual({});
    asked.add(command);
    return new Promise(() => undefined);
  };
  const app = mount(App, { target: document.body, props: { platform } });
  flushSync();
  await new Promise((done) => setTimeout(done, 20));
  expect([...asked].sort()).toEqual([...names].sort());
  await unmount(app);
});
