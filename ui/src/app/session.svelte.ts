// What the window knows, whichever screen it shows: the workspace, its lists, and the runs under way. Make it with the app's component.
import { Queue } from '../features/runs/services/queue.svelte';
import type { Client } from '../ipc/client';
import { toWireError } from '../ipc/errors';
import type { AppInfo, EndedRun, RunRequest, WireError } from '../ipc/gen';
import type { Platform } from '../platform/types';
import type { Jobs } from '../shared/jobs.svelte';
import { locale, withWords } from '../shared/locale.svelte';
import { preferences } from '../shared/preferences.svelte';
import { useCall } from '../shared/query.svelte';
import { workspaces } from '../shared/workspaces.svelte';
import { at, route } from '../shared/route.svelte';

export class Session {
  info = $state.raw<AppInfo | null>(null);
  #packs = useCall('packs_list', () => ({}));
  #models = useCall('models_list', () => ({}));
  #runs = useCall('runs_list', () => ({}));
  #lists = [this.#packs, this.#models, this.#runs];
  packs = $derived(this.#packs.value ?? []);
  models = $derived(this.#models.value ?? []);
  runs = $derived(this.#runs.value ?? []);
  /** Whether the lists have been read once. */
  listed = $state(false);
  /** The run that was asked for here and has not begun yet: its page is opened as soon as there is something to see. */
  starting = $state<string | null>(null);
  /** The run that each try to resume one was about, by the id of the try. */
  readonly resumed = new Map<string, string>();
  /** Why the workspace could not be opened: nothing else can be shown then. */
  closed = $state.raw<WireError | null>(null);
  #failed = $state.raw<WireError | null>(null);

  readonly queue: Queue;
  #client: Client;
  #platform: Platform;

  constructor(client: Client, jobs: Jobs, platform: Platform) {
    this.#client = client;
    this.#platform = platform;
    this.queue = new Queue(client, jobs, (ended) => void this.#ended(ended));
  }

  /** The last thing that did not work. */
  get error(): WireError | null {
    return this.#failed ?? this.#lists.find(({ error }) => error)?.error ?? null;
  }

  set error(error: WireError | null) {
    this.#failed = error;
  }

  /** Opens the workspace and takes up the runs that go. Over when the first screen can be shown, or why not is known. */
  async begin(): Promise<void> {
    this.closed = null;
    try {
      // All at once: one after the other, each would wait for its turn at the host. The settings are there when the lists
      // are shown, since a new run's form begins with what they say.
      const info = this.#client.appInfo();
      // In a browser the reader's language is the browser's: `koab serve` runs under any, such as
      // LANG=C.
      const language =
        this.#platform.host === 'browser' ? navigator.language.slice(0, 2) : info.then(({ language }) => language);
      await Promise.all([info, preferences.begin(this.#client, language), this.refresh()]);
      const failed = preferences.error ?? this.#lists.find(({ error }) => error)?.error;
      if (failed) throw failed;
      this.info = await info;
      this.listed = true;
    } catch (error) {
      this.closed = toWireError(error);
      return;
    }
    void this.queue.begin();
    if (this.#platform.openWorkspace) void workspaces.load(this.#client);
  }

  /** Reads the lists again. */
  refresh = async (): Promise<void> => {
    this.error = null;
    await Promise.all(this.#lists.map((list) => list.load()));
  };

  readRuns = (): Promise<void> => this.#runs.load();

  usePack = async (name: string): Promise<void> => {
    this.error = null;
    await this.#client.usePack(name).then(this.#packs.load, this.failed);
  };

  /** Starts runs, or queues them behind what goes. The first one's page is opened when it begins at once. */
  start = async (requests: RunRequest[]): Promise<void> => {
    const first = requests[0]?.run ?? null;
    for (const { run, resume } of requests) if (resume) this.resumed.set(run, resume);
    const idle = !this.queue.busy;
    this.starting = idle ? first : null;
    if (!(await this.queue.start(requests))) this.starting = null;
    else if (idle) this.follow();
  };

  /** Goes on with a run, before all that wait. One that is under way ends for it first. */
  resume = async (request: RunRequest): Promise<void> => {
    const { current } = this.queue.now;
    if (current && current.id === request.resume && !(await this.queue.cancel(current.run))) return;
    await this.start([request]);
    if (this.queue.now.queue.length > 1) await this.queue.move(request.run, 0);
  };

  /** Opens the page of the run that was just started, once it has begun. */
  follow(): void {
    const { starting, queue } = this;
    if (starting === null) return;
    const { current } = queue.now;
    if (current?.run === starting && (current.id !== null || queue.live.state.phase !== 'idle')) {
      this.starting = null;
      route.go(at('runs', current.id ?? starting));
    } else if (current?.run !== starting) {
      const ended = queue.now.ended.find(({ run }) => run === starting);
      if (ended) this.starting = null;
      // A run of moments may be over before anybody looked.
      if (ended?.id) route.go(at('runs', ended.id));
    }
  }

  /** Something that was asked for outside did not work. */
  failed = (error: unknown): void => {
    this.error = toWireError(error);
  };

  async #ended(ended: EndedRun): Promise<void> {
    await this.readRuns();
    const [id] = ended.reports;
    // Without the library, the notification says that there is a report and not what it says.
    const library = id === undefined ? [] : await this.#client.call('reports_library', {}).catch(() => []);
    const run = this.runs.find((one) => one.id === ended.id);
    const report = library.find((row) => row.id === id);
    const { noticeOf } = await withWords(import('./notice'));
    const { title, body } = noticeOf(ended, { run, report }, locale.t, locale.language);
    // Where the user does not let us, nothing is lost: the page shows the same.
    await this.#platform.notify(title, body).catch(() => undefined);
  }
}
