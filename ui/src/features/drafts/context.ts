// The open draft, for every part of its editor.
import { getContext, setContext } from 'svelte';
import type { OpenDraft } from './draft.svelte';

const KEY = Symbol('draft');

export const provideDraft = (draft: OpenDraft): OpenDraft => setContext(KEY, draft);
export const useDraft = (): OpenDraft => getContext<OpenDraft>(KEY);
