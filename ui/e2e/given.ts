/** What `stories.mjs` was told. */
export interface Given {
  koab: string;
  /** The reference data. */
  shared?: string;
  /** Each pair of language and theme instead of each once. */
  whole: boolean;
  /** Whether single stories were asked for, by somebody who looks at them. */
  single: boolean;
  /** How many times slower the page's processor is. */
  slow: number;
  /** Where what is told of failures lies. */
  kept: string;
  /** Where stories of a run share something. */
  common: string;
}

const words = process.env.KOAB_STORIES;
if (!words) throw new Error('stories are told by `node e2e/stories.mjs`');

export const given = JSON.parse(words) as Given;
