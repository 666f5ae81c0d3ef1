// The submission as the engine has it, and the names as they are being typed: kept a moment after the last key, at once when
// a field is left. What is typed meanwhile stays in its field whatever the engine answers.
import type { Client } from '../../ipc/client';
import type { SubmissionNames, SubmissionView } from '../../ipc/gen';
import type { Language } from '../../locales';
import { Asked } from '../../shared/asked.svelte';

/** Milliseconds after the last key. */
const REST = 400;

export class Draft {
  readonly asked = new Asked<SubmissionView>();
  names = $state.raw<SubmissionNames | null>(null);
  /** Whether something typed is not kept yet. */
  open = $state(false);

  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly client: Client,
    readonly report: string,
    private language: Language | null,
  ) {}

  async load(): Promise<void> {
    await this.#ask(null);
    this.names ??= this.asked.value?.names ?? null;
  }

  async speak(language: Language | null): Promise<void> {
    this.language = language;
    await this.#ask(this.names);
  }

  set<K extends keyof SubmissionNames>(key: K, value: SubmissionNames[K]): void {
    if (!this.names) return;
    this.names = { ...this.names, [key]: value };
    this.open = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.keep(), REST);
  }

  reset(): void {
    const view = this.asked.value;
    if (!view || !this.names) return;
    const { model, vendor, model_type, repo } = view.defaults;
    this.names = { ...this.names, model, vendor, model_type, repo };
    void this.keep();
  }

  async keep(): Promise<void> {
    clearTimeout(this.#timer);
    const kept = this.names;
    await this.#ask(kept);
    if (this.names === kept) this.open = false;
  }

  end(): void {
    clearTimeout(this.#timer);
    if (this.open) void this.keep();
  }

  /** What goes along with every request about it. */
  get request(): { of: string; names: SubmissionNames | null; language: Language | null } {
    return { of: this.report, names: this.names, language: this.language };
  }

  #ask(names: SubmissionNames | null): Promise<void> {
    return this.asked.load(() =>
      this.client.call('submission_view', { request: { of: this.report, names, language: this.language } }),
    );
  }
}
