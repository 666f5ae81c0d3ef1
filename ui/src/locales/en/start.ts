import { plural } from '../plural';

export const start = {
  title: 'Welcome to Ko-AgentBench Desktop',
  steps: (at: number, all: number) => `Step ${at} of ${all}`,
  place: {
    title: 'Data folder',
    about:
      'Runs, reports and cached responses are stored in this folder. Nothing leaves this computer except requests to the models that you name.',
    later: (folder: string) => `From the next start, ${folder} is used.`,
    fixed: 'The folder was set at startup.',
  },
  pack: {
    starter: (tasks: number) =>
      `Starter pack: ${plural(tasks, 'synthetic task')} with cached responses, for trying everything out. Needs no key and no network.`,
    import: 'the published benchmark, from a folder or an archive',
    which: 'Tasks of the first run',
    used: (name: string) => `Tasks for the first run: ${name}.`,
  },
  model: {
    about:
      'Paste the address of a server, or choose a provider and give its key. The model list comes from the server.',
  },
  judge: {
    ready: 'Judges that are ready',
    offline: 'offline, uncalibrated: compare it with human answers first',
    title: 'Judge and first run',
    later: 'A judge can also score the run later.',
    cost: 'Judges are called when the run ends. The choice is remembered and can be changed for each run.',
  },
  noModel: 'No model is connected. You can connect one later under Models.',
  runAll: 'Run all levels',
  runLevel: (level: string) => `Run ${level}`,
  runUnjudged: (level: string) => `Run ${level} without a judge`,
  back: 'Back',
  run: 'Run a smoke test',
  runAbout:
    'A smoke test, not a measurement: a baseline follows the golden path of every task, in under a minute. It is not judged, so SR and other judged metrics have no value.',
  finish: 'Start without a run',
};
