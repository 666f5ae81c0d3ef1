// How a model inside the application is to run, as a form holds it before it is the engine's `LocalSettings`.
import type { ComputeDevice, LocalSettings } from '../../ipc/gen';

/** What the weights are made; `auto` is as they were published. */
export const PRECISIONS = ['auto', '8bit', '4bit', 'float16', 'bfloat16', 'float32'] as const;
export type Precision = (typeof PRECISIONS)[number];

export interface LocalDraft {
  /** Of a model that is converted before it runs; GGUF files have their own. */
  precision: Precision;
  /** Tokens of one conversation; `null` leaves it to the engine. */
  context: number | null;
  device: ComputeDevice;
  /** The form of tool calls; empty means as the chat template says. */
  toolForm: string;
  /** Whether calls are held to the tools' schemas by a grammar. */
  constrained: boolean;
  /** Threads that compute; `null` leaves it to the engine. */
  threads: number | null;
}

export const USUAL: Readonly<LocalDraft> = {
  precision: 'auto',
  context: null,
  device: 'auto',
  toolForm: '',
  constrained: false,
  threads: null,
};

const MAX_THREADS = 512;
const MAX_CONTEXT = 1_048_576;
const MIN_CONTEXT = 256;

export function isContext(context: number | null): boolean {
  return context === null || (Number.isInteger(context) && context >= MIN_CONTEXT && context <= MAX_CONTEXT);
}

export function isThreads(threads: number | null): boolean {
  return threads === null || (Number.isInteger(threads) && threads >= 1 && threads <= MAX_THREADS);
}

/** As the engine takes it; `converts` says whether a precision can be chosen. */
export function settingsOf(
  { precision, context, device, toolForm, constrained, threads }: LocalDraft,
  converts: boolean,
): LocalSettings {
  const quantized = precision === '4bit' || precision === '8bit';
  return {
    quantization: converts && quantized ? precision : null,
    dtype: converts && !quantized ? precision : 'auto',
    device,
    context,
    tool_form: toolForm || null,
    constrained,
    // One that makes no sense goes to the engine, which says so.
    ...(Number.isInteger(threads) ? { threads } : {}),
  };
}

/** The other way round: settings that the engine kept, in the form again. */
export function draftOf(settings: LocalSettings): LocalDraft {
  const { quantization, dtype, device, context, tool_form, constrained, threads } = settings;
  return {
    precision: quantization ?? dtype,
    context,
    device,
    toolForm: tool_form ?? '',
    constrained,
    threads: threads ?? null,
  };
}

/** What differs from the usual, for an address; empty when nothing does. */
export function addressOf(draft: LocalDraft): Record<string, string> {
  const changed = Object.entries(draft).filter(([key, value]) => value !== USUAL[key as keyof LocalDraft]);
  return changed.length > 0 ? { settings: JSON.stringify(Object.fromEntries(changed)) } : {};
}

const isOneOf = (values: readonly unknown[], value: unknown): boolean => values.includes(value);
const SOUND: { [K in keyof LocalDraft]: (value: unknown) => boolean } = {
  precision: (value) => isOneOf(PRECISIONS, value),
  context: (value) => typeof value === 'number' && isContext(value),
  device: (value) => isOneOf(['auto', 'cpu', 'cuda', 'metal', 'vulkan'] satisfies ComputeDevice[], value),
  toolForm: (value) => typeof value === 'string',
  constrained: (value) => typeof value === 'boolean',
  threads: (value) => typeof value === 'number' && isThreads(value),
};

/** The settings in an address. Addresses are typed and pasted as well: what makes no sense is left out. */
export function settingsIn(address: string | undefined): Partial<LocalDraft> {
  let said: unknown;
  try {
    said = JSON.parse(address ?? '{}');
  } catch {
    return {};
  }
  if (typeof said !== 'object' || said === null) return {};
  const known = Object.entries(said).filter(
    ([key, value]) => Object.hasOwn(SOUND, key) && SOUND[key as keyof LocalDraft](value),
  );
  return Object.fromEntries(known) as Partial<LocalDraft>;
}
