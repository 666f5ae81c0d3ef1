import { plural } from '../plural';

export const compareAcross = {
  title: (packs: string) => `Over ${plural(packs, 'pack')}, by success rate (SR)`,
  weights: 'Weights of the combined difference',
  byItem: 'Each task counts the same',
  byPack: 'Each pack counts the same',
  combined: 'Combined',
  part: 'Pack, group',
  weight: 'Weight',
  table: (first: string, second: string) => `${first} and ${second}, part by part`,
  direction: (first: string, second: string) =>
    `Difference: ${second} − ${first}. Right of the line, the second is better.`,
  intervals:
    'Groups: Tango’s score interval. Packs and combined: the groups’ intervals added up by weight (Yan and Su). If the models agree on every task, the interval still has a width, which depends on the number of tasks.',
  tests:
    'Groups: McNemar’s exact test. Packs and combined: the same on the tasks that only one solved, by weight. Where scores are not yes or no: sign flips.',
  holm: (groups: string) =>
    `p value after Holm’s correction over the ${plural(groups, 'group')}, and over those of the other pairs of models below.`,
  together: (pairs: string, holm: string) =>
    `Conclusion by Holm p ${holm}, over the ${plural(pairs, 'pair')} of models.`,
  leftOut: (pack: string, reason: string) => `${pack} is left out: ${reason}`,
  power: (points: string) => `Smallest difference that these tasks can be expected to find: ${points}`,
  powerTitle: 'Smallest difference found',
  powerExplained: (power: string, alpha: string) =>
    `Power ${power} at level ${alpha}, two-sided. The more tasks only one of the two models solves, the larger a difference must be.`,
  discordance: 'Tasks that only one of the two solves',
  seen: 'As observed, mean of all pairs',
  never: (none: string) => `${none}: too few tasks to find a difference between models that differ on so few of them.`,
  assumed: (share: string) => `Assumption: ${share}`,
};
