import type { RunEvent } from '../ipc/types';

/** Takes a batch of events, oldest first. */
export type OnEvents = (events: RunEvent[]) => void;

/**
 * What the UI asks of the program around it. One file per host implements it; nothing else in the UI knows which host
 * it runs in. Command names and argument shapes are typed one floor up, in `ipc/client.ts`.
 */
export interface Platform {
  /** Calls a command; rejects with whatever the host rejects with (see `ipc/errors.ts`). */
  call(command: string, args: Record<string, unknown>): Promise<unknown>;
  /** Calls a command that also sends event batches, before and after it has answered. */
  stream(command: string, args: Record<string, unknown>, onEvents: OnEvents): Promise<unknown>;
  /** Asks `mayClose` whenever the user closes the window; `false` keeps it open. Returns how to stop asking. */
  onCloseRequested(mayClose: () => boolean): Promise<() => void>;
  /** Closes the window without asking. */
  close(): Promise<void>;
}
