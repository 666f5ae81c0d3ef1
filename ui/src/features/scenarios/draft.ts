// What the form holds, and the request that comes of it. It begins as the newest run was asked for, which the engine
// knows.
import { addressOrNull } from '../../shared/address';
import { parted } from '../../shared/parted';
import type { ScenarioRequest } from '../../ipc/gen';

/** Text fields are as typed; an empty one leaves the choice to the engine. */
export interface Draft {
  path: string;
  results: string;
  repetitions: number | null;
  parallel: number | null;
  /** A share such as 0.1, or a count; empty for every instance. */
  subsample: string;
  native: boolean;
  consent: boolean;
  image: string;
  network: boolean;
  rerunFailed: boolean;
  minutes: number | null;
  memory: number | null;
  cpus: number | null;
  pids: number | null;
  output: number | null;
  envFile: string;
  config: string;
  /** What each trial gets as `config.yaml`. */
  configFile: string;
  requirements: string;
  /** Further folders that templates may come from, one a line. */
  allow: string;
  secrets: string[];
  model: string;
  baseUrl: string;
  maxCost: number | null;
  maxTokens: number | null;
  replay: string;
}

export type DraftProblem = 'noPath' | 'badNumber' | 'badShare' | 'noConsent' | 'noModel' | 'twoModels';

/** A form as a run was asked for; consent is given anew each time. */
export function draftOf(request?: ScenarioRequest): Draft {
  return {
    path: request?.path ?? '',
    results: request?.results ?? '',
    repetitions: request?.repetitions ?? 1,
    parallel: request?.parallel ?? 1,
    subsample: request?.subsample ?? '',
    native: request?.native ?? false,
    consent: false,
    image: request?.docker_image ?? '',
    network: request?.network ?? true,
    rerunFailed: request?.rerun_failed ?? false,
    minutes: request?.timeout_s ? request.timeout_s / 60 : null,
    memory: request?.memory_mib ?? null,
    cpus: request?.cpus ?? null,
    pids: request?.pids ?? null,
    output: request?.output_mib ?? null,
    envFile: request?.env_file ?? '',
    config: request?.config ?? '',
    configFile: request?.config_file ?? '',
    requirements: request?.requirements ?? '',
    allow: (request?.allow ?? []).join('\n'),
    secrets: [...(request?.secrets ?? [])],
    model: request?.model ?? '',
    baseUrl: request?.base_url ?? '',
    maxCost: request?.max_cost ?? null,
    maxTokens: request?.max_total_tokens ?? null,
    replay: request?.replay ?? '',
  };
}

export function problemsOf(draft: Draft): DraftProblem[] {
  const wrong = (value: number | null) => value !== null && !(Number.isFinite(value) && value > 0);
  const caps = [draft.maxCost, draft.maxTokens];
  const limits = draft.native
    ? [draft.minutes, draft.output]
    : [draft.minutes, draft.memory, draft.cpus, draft.pids, draft.output];
  const whole = [draft.repetitions, draft.parallel];
  return [
    ...(draft.path.trim() === '' ? (['noPath'] as const) : []),
    ...([...limits, ...caps].some(wrong) || whole.some((value) => !Number.isInteger(value) || wrong(value))
      ? (['badNumber'] as const)
      : []),
    ...(isShare(draft.subsample.trim()) ? [] : (['badShare'] as const)),
    ...(draft.native && !draft.consent ? (['noConsent'] as const) : []),
    ...modelProblems(draft),
  ];
}

/** With a decimal point a share from 0 to 1, else a count from 1; the engine takes more and means the same. */
const isShare = (text: string): boolean => text === '' || /^(0?\.\d+|0\.|1\.0*|[1-9]\d*)$/.test(text);

function modelProblems(draft: Draft): DraftProblem[] {
  if (draft.model.trim() === '') {
    const rest =
      draft.baseUrl.trim() !== '' || draft.replay.trim() !== '' || draft.maxCost !== null || draft.maxTokens !== null;
    return rest ? ['noModel'] : [];
  }
  return draft.config.trim() !== '' ? ['twoModels'] : [];
}

/** Where `ENV.json` and the model configuration lie: in the benchmark, which is above a folder named `Tasks`. */
export function benchmarkOf(path: string): string | null {
  const parts = path.split(/[\\/]/);
  if (/\.jsonl$/i.test(parts.at(-1) ?? '')) parts.pop();
  if (parts.at(-1) === 'Tasks') parts.pop();
  const folder = parts.join(path.includes('\\') ? '\\' : '/');
  return folder === '' ? null : folder;
}

export function requestOf(draft: Draft): ScenarioRequest {
  const text = (value: string) => value.trim() || null;
  const path = draft.path.trim();
  const contained = !draft.native;
  return {
    path,
    results: text(draft.results),
    folder: benchmarkOf(path),
    repetitions: draft.repetitions ?? 1,
    parallel: draft.parallel ?? 1,
    native: draft.native,
    docker_image: contained ? text(draft.image) : null,
    requirements: contained ? text(draft.requirements) : null,
    config: text(draft.config),
    config_tag: null,
    config_file: text(draft.configFile),
    env_file: text(draft.envFile),
    secrets: [...draft.secrets],
    allow: parted(draft.allow),
    subsample: text(draft.subsample),
    timeout_s: draft.minutes === null ? null : Math.max(1, Math.round(draft.minutes * 60)),
    memory_mib: contained ? draft.memory : null,
    cpus: contained ? draft.cpus : null,
    pids: contained ? draft.pids : null,
    output_mib: draft.output,
    network: draft.network,
    model: text(draft.model),
    base_url: addressOrNull(draft.baseUrl),
    max_cost: draft.maxCost,
    max_total_tokens: draft.maxTokens,
    replay: text(draft.replay),
    rerun_failed: draft.rerunFailed,
    command: [],
  };
}
