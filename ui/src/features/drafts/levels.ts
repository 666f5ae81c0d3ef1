// The levels as one chooses them.
import type { Level } from '../../ipc/gen';
import { locale } from '../../shared/locale.svelte';
import { LEVELS } from './fields';

export const levelWords = (): (readonly [Level, string])[] =>
  LEVELS.map((one) => [one, `${one} ${locale.t.runs.levels[one]}`] as const);
