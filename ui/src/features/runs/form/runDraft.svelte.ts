// The form of a new run while it is filled in: the draft, what is wrong with it, and the runs that it asks for.
import type { ModelSummary, PackSummary, RunRequest } from '../../../ipc/gen';
import { keepUsed } from '../../../shared/models/lastUsed';
import { preferences } from '../../../shared/preferences.svelte';
import { at, route } from '../../../shared/route.svelte';
import { judgesOf } from '../scoring/judgeChoice';
import {
  halfWidthOf,
  IN_LIMITS,
  IN_ROWS,
  isScored,
  keepDraft,
  modelOf,
  newDraft,
  openDraft,
  problemsOf,
  requestsOf,
  rowsFor,
  soundRows,
  type Draft,
  type DraftProblem,
} from './draft';
import { lacksOf } from './lacks';
import { wantedRow } from './wanted';

export const SCOPES = ['levels', 'tasks', 'adaptive'] as const;

interface Given {
  packs: PackSummary[];
  models: ModelSummary[];
  /** Nothing that makes runs is under way. */
  alone?: boolean;
  /** Something is being asked for. */
  starting?: boolean;
  onDraft?: (requests: RunRequest[], left: number, halfWidth: number | null) => void;
}

/** Make it while a component is made, of its props. */
export class RunDraft {
  draft = $state() as Draft;
  limitsOpen = $state(false);
  /** Problems are shown from the first try on, not while the form is being filled in. */
  tried = $state(false);

  #given: () => Given;

  readonly pack = $derived.by(() => this.#given().packs.find(({ name }) => name === this.draft.pack));
  /** Whether its tasks are worked on with tools; items of other benchmarks are one request and one reply. */
  readonly isAgentic = $derived.by(() => !this.pack?.kind);
  readonly problems = $derived.by(() => problemsOf(this.draft, this.#given().models));
  readonly lacks = $derived.by(() => lacksOf(this.draft, this.#given().models));
  readonly tasks = $derived.by(() => this.pack?.levels.reduce((sum, level) => sum + level.tasks, 0) ?? 0);
  /** Whether a model of it is on a server of the user's. */
  readonly server = $derived.by(() =>
    this.draft.models.some((row) => this.#given().models.find(({ id }) => id === row.model)?.kind === 'server'),
  );
  /** An adaptive run waits for no turn: something else is under way. */
  readonly barred = $derived.by(() => this.draft.scope === 'adaptive' && this.#given().alone === false);
  /** No level or task is chosen. */
  readonly nothing = $derived.by(() => this.draft.scope !== 'adaptive' && this.draft[this.draft.scope].length === 0);

  constructor(given: () => Given) {
    this.#given = given;
    const judges = () => preferences.view?.settings.judges;
    this.draft = openDraft(given().packs, given().models, judges());

    // A list that was empty and now is not: fill the form as at the start.
    $effect(() => {
      const { packs, models } = given();
      if ((!this.draft.pack && packs.length > 0) || (this.draft.models.length === 0 && models.length > 0)) {
        this.draft = newDraft(packs, models, judges());
      }
    });
    // Taken over once: from then on the form is the user's, and a reload keeps it as it is.
    $effect(() => {
      const wanted = wantedRow(route.place.query, given().models);
      const scope = SCOPES.find((one) => one === route.place.query['scope']);
      if (!wanted && !scope) return;
      if (wanted) this.draft.models = [wanted];
      if (scope) this.draft.scope = scope;
      route.go(at('runs', { new: '1' }), { replace: true });
    });
    $effect(() => {
      const { models } = given();
      const now = $state.snapshot(this.draft);
      keepDraft(now);
      // A model that is still being named takes nothing away from what is known of the others.
      const rows = soundRows(now, models);
      const isUsable = this.problems.every((problem) => IN_ROWS.includes(problem));
      const requests = isUsable ? requestsOf({ ...now, models: rows }, models, () => '') : [];
      given().onDraft?.(requests, now.models.length - rows.length, halfWidthOf(now));
    });
  }

  shown = (problem: DraftProblem): boolean => this.tried && this.problems.includes(problem);

  choosePack(name: string): void {
    const { packs, models } = this.#given();
    const chosen = packs.find((candidate) => candidate.name === name);
    const levels = chosen?.levels.map(({ level }) => level) ?? [];
    Object.assign(this.draft, { pack: name, snapshot: '', levels });
    if (chosen?.kind) Object.assign(this.draft, { agent: '', cache: 'read', fullRollout: false, max_steps: null });
    this.draft.models = rowsFor(chosen, this.draft.models, models);
  }

  /** Seconds that an attempt is given; the field is shown. */
  setTimeLimit(seconds: number): void {
    this.draft.timeout_s = seconds;
    this.limitsOpen = true;
  }

  /** The runs that are asked for, each with an id; `null` where something is wrong, which is shown from then on. */
  submit(): RunRequest[] | null {
    this.tried = true;
    // What is wrong must not stay folded away.
    if (this.problems.some((problem) => IN_LIMITS.includes(problem))) this.limitsOpen = true;
    const { models, starting } = this.#given();
    if (starting || this.barred || this.problems.length > 0) return null;
    this.tried = false;
    this.#remember();
    return requestsOf($state.snapshot(this.draft), models, () => crypto.randomUUID());
  }

  /** The next run's form begins with the same model and judges. Those at an address of their own have no name to be kept under. */
  #remember(): void {
    const { draft } = this;
    const [row] = draft.models;
    const usual = this.#given().models.find(({ id }) => id === row?.model)?.default_base_url ?? '';
    if (row && ['', usual].includes(row.baseUrl.trim())) keepUsed('model', [modelOf(row)]);
    const judges = judgesOf(draft);
    const kept = preferences.view?.settings.judges ?? [];
    if (!isScored(draft) || judges.length === 0 || draft.judgeBaseUrl.trim() !== '') return;
    keepUsed('judge', judges);
    if (judges.join() === kept.join()) return;
    void preferences.change({ judges });
  }
}
