export const start = {
  title: 'Welcome to Ko-AgentBench Desktop',
  steps: (at: number, all: number) => `Step ${at} of ${all}`,
  language: { title: 'Language', about: 'For the window and the command line. It can be changed in the settings at any time.' },
  place: {
    title: 'Where your data lives',
    about: 'Runs, reports and recorded responses stay in this folder. Nothing leaves this computer but the requests to the models that you name.',
    change: 'Use another folder…',
    changeTitle: 'Choose a folder for the workspace',
    later: (folder: string) => `From the next start on, ${folder} is used.`,
    fixed: 'The folder was given at the start of the program.',
  },
  pack: {
    title: 'Tasks to start with',
    starter: (tasks: number) => `The starter pack: ${tasks} invented tasks with recorded responses, for trying everything out. Needs no key and no network.`,
    import: 'The published benchmark: import it from a folder or an archive.',
  },
  back: 'Back',
  next: 'Next',
  skip: 'Skip',
  run: 'Run the starter pack now',
  runAbout: 'A built-in baseline plays the golden path of every task, in under a minute. No judge is asked, so SR and other judged metrics stay without a value.',
  finish: 'Begin without a run',
};
