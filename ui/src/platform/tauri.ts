// The only file that may import @tauri-apps/*.
import { Channel, invoke, isTauri } from '@tauri-apps/api/core';
import type { OnEvents, Platform } from './types';

// What nothing waits for is fetched when it is first used: the page is shown without it.
const currentWindow = async () => (await import('@tauri-apps/api/window')).getCurrentWindow();
const currentWebview = async () => (await import('@tauri-apps/api/webview')).getCurrentWebview();

/** Whether the page runs inside the product's window. */
export const insideWindow = isTauri;

/** Answers that the window wrote into the page, by their commands. Each is given once: when asked for again it is old. */
const first = new Map<string, unknown>(
  Object.entries(JSON.parse(document.getElementById('first-answers')?.textContent ?? '{}') as object),
);

export const tauriPlatform: Platform = {
  host: 'window',
  call: (command, args) => {
    const answer = first.get(command);
    return first.delete(command) ? Promise.resolve(answer) : invoke('call', { command, args });
  },

  stream: <E>(command: string, args: Record<string, unknown>, onEvents: OnEvents<E>) => {
    const channel = new Channel<E[]>();
    channel.onmessage = onEvents;
    return invoke('stream', { command, args, onEvents: channel });
  },

  onCloseRequested: async (mayClose) =>
    (await currentWindow()).onCloseRequested((event) => {
      if (!mayClose()) event.preventDefault();
    }),

  close: async () => (await currentWindow()).destroy(),

  // Dialogs, files and notifications are the shell's: the page itself may not touch any of them.
  pick: (options) => invoke('host_pick', { options }),
  save: async (name, content, _type, beside = []) => {
    const parts = beside.map((file) => ({ name: encodeURIComponent(file.name), bytes: toBytes(file.text) }));
    const headers = {
      'x-name': encodeURIComponent(name),
      'x-beside': parts.map(({ name: own, bytes }) => `${own}:${bytes.length}`).join(','),
    };
    const written = await invoke<string[]>(
      'host_save',
      joined([toBytes(content), ...parts.map(({ bytes }) => bytes)]),
      { headers },
    );
    return written.length > 0 ? written.join(', ') : null;
  },
  onLink: async (followed) => {
    const take = async () => (await invoke<string[]>('host_links')).forEach(followed);
    const { listen } = await import('@tauri-apps/api/event');
    const stop = await listen('links', () => void take());
    await take();
    return stop;
  },
  openWorkspace: (folder, here) => invoke('host_workspace_open', { folder, here }),
  updates: {
    view: () => invoke('host_updates'),
    want: (wanted) => invoke('host_updates_want', { wanted }),
    look: (now) => invoke('host_updates_look', { now }),
    install: () => invoke('host_updates_install'),
  },
  progress: (percent) => invoke('host_progress', { percent }),
  notify: (title, body) => invoke('host_notify', { title, body }),
  open: (target) => invoke('host_open', { target }),

  onDrop: async (dropped, over) =>
    (await currentWebview()).onDragDropEvent(({ payload }) => {
      over(payload.type === 'enter' || payload.type === 'over');
      if (payload.type === 'drop') dropped(payload.paths);
    }),
};

function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
