// A fork that goes on, followed by its events.
import type { Client } from '../../ipc/client';
import { BEGUN, further, type ForkProgress } from './progress';

export class GoingFork {
  progress = $state.raw<ForkProgress>(BEGUN);
  #followed = false;

  constructor(
    private readonly client: Client,
    private readonly id: () => string,
    /** Called once, when it is over. */
    private readonly over: () => Promise<void>,
  ) {}

  /** Follows it to its end; a second time does nothing. */
  async follow(): Promise<void> {
    if (this.#followed) return;
    this.#followed = true;
    try {
      await this.client.subscribe(`fork:${this.id()}`, (events) => {
        const was = this.progress.over;
        this.progress = further(this.progress, events);
        if (this.progress.over && !was) void this.over();
      });
    } catch {
      // It ended between the two questions.
      await this.over();
    }
  }
}
