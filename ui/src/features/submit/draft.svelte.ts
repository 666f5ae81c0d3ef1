// The submission as the engine has it, and the names as they are being typed: kept a moment after the last key, at once when
// a field is left. What is typed meanwhile stays in its field whatever the engine answers.
import { untrack } from 'svelte';
import type { SubmissionNames, SubmissionView } from '../../ipc/gen';
import type { Language } from '../../locales';
import { useHost } from '../../shared/host';
import { useCall, type Query } from '../../shared/query.svelte';

/** Milliseconds after the last key. */
const REST = 400;

/** Make it while a component is made. */
export class Draft {
  readonly found: Query<SubmissionView>;
  names = $state.raw<SubmissionNames | null>(null);

  /** The names that the engine was told last. */
  #told = $state.raw<SubmissionNames | null>(null);
  #typing = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly report: string,
    private readonly language: () => Language | null,
  ) {
    const { client } = useHost();
    this.found = useCall(
      'submission_view',
      () => ({ request: { of: report, names: this.#told, language: language() } }),
      { keep: true },
    );
    $effect(() => {
      const view = this.found.loading ? null : this.found.value;
      if (view) untrack(() => (this.names ??= view.names));
    });
    // What was typed last is kept when the page is left.
    $effect(() => () => {
      clearTimeout(this.#timer);
      if (this.#typing) void client.call('submission_view', { request: this.request }).catch(() => undefined);
    });
  }

  /** Whether something typed is not kept yet. */
  get open(): boolean {
    return this.#typing || (this.#told !== null && this.found.loading);
  }

  set<K extends keyof SubmissionNames>(key: K, value: SubmissionNames[K]): void {
    if (!this.names) return;
    this.names = { ...this.names, [key]: value };
    this.#typing = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.keep(), REST);
  }

  reset(): void {
    const view = this.found.value;
    if (!view || !this.names) return;
    const { model, vendor, model_type, repo } = view.defaults;
    this.names = { ...this.names, model, vendor, model_type, repo };
    this.keep();
  }

  keep(): void {
    clearTimeout(this.#timer);
    this.#typing = false;
    if (this.names === this.#told) void this.found.load();
    else this.#told = this.names;
  }

  /** What goes along with every request about it. */
  get request(): { of: string; names: SubmissionNames | null; language: Language | null } {
    return { of: this.report, names: this.names, language: this.language() };
  }
}
