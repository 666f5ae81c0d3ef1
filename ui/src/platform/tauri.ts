// The only file that may import @tauri-apps/*.
import { Channel, invoke, isTauri } from '@tauri-apps/api/core';
import { getCurrentWindow } from '@tauri-apps/api/window';
import type { RunEvent } from '../ipc/types';
import type { Platform } from './types';

/** Whether the page runs inside the product's window. */
export const insideWindow = isTauri;

export const tauriPlatform: Platform = {
  call: (command, args) => invoke(command, args),

  stream: (command, args, onEvents) => {
    const channel = new Channel<RunEvent[]>();
    channel.onmessage = onEvents;
    return invoke(command, { ...args, onEvents: channel });
  },

  onCloseRequested: (mayClose) =>
    getCurrentWindow().onCloseRequested((event) => {
      if (!mayClose()) event.preventDefault();
    }),

  close: () => getCurrentWindow().destroy(),
};
