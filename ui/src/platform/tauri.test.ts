import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

async function answers(written: string | null): Promise<unknown[]> {
  if (written !== null) {
    const element = document.createElement('script');
    Object.assign(element, { id: 'first-answers', type: 'application/json', textContent: written });
    document.body.append(element);
  }
  // What the window gives its page to talk to it by.
  const invoke = async (_: string, { command }: { command: string }) => `the engine on ${command}`;
  vi.stubGlobal('__TAURI_INTERNALS__', { invoke });
  vi.resetModules();
  const { tauriPlatform } = await import('./tauri');
  const found = [];
  for (const command of ['packs_list', 'models_list', 'packs_list']) found.push(await tauriPlatform.call(command, {}));
  return found;
}

it('gives what the window wrote into the page once, and asks for everything else', async () => {
  expect(await answers('{"packs_list":["a pack"]}')).toEqual([
    ['a pack'],
    'the engine on models_list',
    'the engine on packs_list',
  ]);
});

it('asks for everything where the window wrote nothing', async () => {
  expect((await answers(null))[0]).toBe('the engine on packs_list');
});
