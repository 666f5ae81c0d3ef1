export const scenarios = {
  none: 'This version cannot run scenarios.',
  what: 'A scenario lets a model work on files and programs in a container, and checks what it leaves behind. The part of the engine that does this is not there yet, in the window as on the command line, so there is nothing here to set up, import or look at.',
  elsewhere: 'What runs today is the tool-calling benchmark: seven levels of tasks with recorded tool responses, which needs no container.',
  toRuns: 'Run the benchmark',
  toPacks: 'See what the packs hold',
};
