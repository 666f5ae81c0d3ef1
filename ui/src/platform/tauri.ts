// The only file that may import @tauri-apps/*.
import { Channel, invoke, isTauri } from '@tauri-apps/api/core';
import { getCurrentWebview } from '@tauri-apps/api/webview';
import { getCurrentWindow } from '@tauri-apps/api/window';
import type { RunEvent } from '../ipc/types';
import type { Platform } from './types';

/** Whether the page runs inside the product's window. */
export const insideWindow = isTauri;

export const tauriPlatform: Platform = {
  host: 'window',
  call: (command, args) => invoke('call', { command, args }),

  stream: (command, args, onEvents) => {
    const channel = new Channel<RunEvent[]>();
    channel.onmessage = onEvents;
    return invoke('stream', { command, args, onEvents: channel });
  },

  onCloseRequested: (mayClose) =>
    getCurrentWindow().onCloseRequested((event) => {
      if (!mayClose()) event.preventDefault();
    }),

  close: () => getCurrentWindow().destroy(),

  // Dialogs, files and notifications are the shell's: the page itself may not touch any of them.
  pick: (options) => invoke('host_pick', { options }),
  save: (name, content) => invoke('host_save', toBytes(content), { headers: { 'x-name': encodeURIComponent(name) } }),
  notify: (title, body) => invoke('host_notify', { title, body }),
  open: (target) => invoke('host_open', { target }),

  onDrop: (dropped, over) =>
    getCurrentWebview().onDragDropEvent(({ payload }) => {
      over(payload.type === 'enter' || payload.type === 'over');
      if (payload.type === 'drop') dropped(payload.paths);
    }),
};

function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}
