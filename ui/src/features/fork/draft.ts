// What the user changes before a fork, and the request that comes of it.
import type { ForkEdit, ForkMessage, ForkRequest } from '../../ipc/gen';
import { addressOrNull } from '../../shared/address';

/** What is done with one message. */
export interface MessageDraft {
  doing: 'keep' | 'text' | 'result' | 'error';
  /** The new text, or the JSON of the new result. */
  text: string;
  errorType: string;
}

export interface ForkDraft {
  messages: Record<number, MessageDraft>;
  system: string;
  model: string;
  baseUrl: string;
  temperature: string;
  seed: string;
  maxCost: string;
  name: string;
}

/** Nothing is changed. */
export function unchanged(messages: readonly ForkMessage[], errorType: string): ForkDraft {
  const kept = messages.map(({ at, text }): [number, MessageDraft] => [at, { doing: 'keep', text, errorType }]);
  return {
    messages: Object.fromEntries(kept),
    system: '',
    model: '',
    baseUrl: '',
    temperature: '',
    seed: '',
    maxCost: '',
    name: '',
  };
}

/** Whether a text is JSON. The engine reads it again, with every digit. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Messages whose new result is not JSON. */
export const faulty = (draft: ForkDraft): number[] =>
  Object.entries(draft.messages).flatMap(([at, { doing, text }]) =>
    doing === 'result' && !isJson(text) ? [Number(at)] : [],
  );

export interface ForkPlace {
  run: string;
  task: string;
  repetition: number;
  step: number;
}

export function requestOf(place: ForkPlace, draft: ForkDraft): ForkRequest {
  const number = (text: string) => (text.trim() === '' || !Number.isFinite(Number(text)) ? null : Number(text));
  const said = (text: string) => (text.trim() === '' ? null : text.trim());
  return {
    ...place,
    edits: Object.entries(draft.messages).flatMap(([at, message]) => edit(Number(at), message)),
    system: said(draft.system),
    model: said(draft.model),
    base_url: addressOrNull(draft.baseUrl),
    temperature: number(draft.temperature),
    seed: number(draft.seed),
    max_cost: number(draft.maxCost),
    max_total_tokens: null,
    name: said(draft.name),
  };
}

function edit(at: number, { doing, text, errorType }: MessageDraft): ForkEdit[] {
  switch (doing) {
    case 'keep':
      return [];
    case 'text':
      return [{ at, to: { kind: 'text', text } }];
    case 'result':
      return [{ at, to: { kind: 'result', json: text } }];
    case 'error':
      return [{ at, to: { kind: 'error', error_type: errorType } }];
  }
}
