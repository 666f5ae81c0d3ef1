// What the form of a recording holds. It stays while a recording goes on, so that one that failed can be tried again.
import type { RecordingRequest } from '../../ipc/gen';

export class RecordingForm {
  name = $state('');
  kind = $state<'command' | 'url'>('command');
  line = $state('');
  url = $state('');
  header = $state('');
  env = $state('');
  work = $state('');
  mask = $state(false);

  /** Whether all is there that has to be. */
  get complete(): boolean {
    return this.name.trim() !== '' && (this.kind === 'command' ? this.line : this.url).trim() !== '';
  }

  get request(): RecordingRequest {
    const text = (value: string) => value.trim() || null;
    const starts = this.kind === 'command';
    return {
      name: this.name.trim(),
      server: starts
        ? { kind: 'command', line: this.line.trim() }
        : { kind: 'url', url: this.url.trim(), header_env: text(this.header) },
      env: starts ? this.env.split(/[\s,]+/).filter(Boolean) : [],
      mask: this.mask,
      work: text(this.work),
    };
  }
}
