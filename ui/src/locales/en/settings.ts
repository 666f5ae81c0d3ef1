import { plural } from '../plural';

export const settings = {
  about: 'Stored in the workspace; shared by the window, the browser and the command line.',
  general: {
    reviewer: 'Reviewer name',
    reviewerAbout: 'Default name for overrides. Stored in the workspace.',
    title: 'Language and appearance',
    system: 'System',
    theme: 'Appearance',
    scenarios: 'Always show scenarios',
    scenariosAbout:
      'The sidebar shows them automatically where a container engine answers or the workspace has their results. Stored in this window only.',
  },
  workspace: {
    title: 'Workspace',
    origins: {
      asked: 'Set when this was started',
      environment: 'Set by KOAB_HOME',
      chosen: 'Chosen here',
      system: 'System folder for application data',
    },
    type: 'Full path of another folder',
    reset: 'Reset to the system folder',
    next: (folder: string) =>
      `The next start uses ${folder}. Data in the current folder is not moved; copy it if needed.`,
    fixed: 'The folder was set at startup, so a folder chosen here has no effect.',
  },
  runs: {
    concurrency: 'Concurrency (attempts)',
    automatic: 'automatic',
    concurrencyAbout: 'Default for runs. Automatic adapts to each server.',
    judgesAbout:
      'Model ids such as openai/gpt-4o, one per line. Default judges of new runs; called when the run is scored.',
    costCap: 'Daily budget (USD)',
    tokenCap: 'Daily tokens',
    capAbout: 'Applies to all runs and processes of this workspace. A run stops before exceeding it.',
    spent: (usd: string, tokens: string) => `Today: $${usd}, ${plural(tokens, 'token')}.`,
  },
  network: {
    title: 'Network',
    proxy: 'Proxy',
    modes: { system: 'From the environment', direct: 'None', address: 'Custom address' },
    address: 'Proxy address',
    variables: (names: string) => `Set in the environment: ${names}`,
    noVariables: 'No proxy set in the environment.',
    proxyAbout: 'For requests to models. Servers on this computer are always reached directly.',
    telemetry: 'Telemetry',
    noTelemetry:
      'None. Only requests that you configure leave this computer: to the models and judges that you name, downloads, live calls of tools, and traces if you set a collector. Each has a line in the log below.',
  },
  spans: {
    title: 'Tracing',
    collector: 'OpenTelemetry collector',
    off: 'off',
    turnOff: 'Turn off',
    example:
      'An OTLP/HTTP address, such as http://127.0.0.1:4318. Set its key in the environment variable OTEL_EXPORTER_OTLP_HEADERS.',
    sent: 'Runs started in this window or page send traces there as they run: names of model, tasks and tools, times, token counts, sampling settings, how each call ended. The command line has its own setting.',
    texts: 'Include texts',
    textsAbout: 'Prompts, model answers, tool arguments and results. Otherwise they stay on this computer.',
    on: (address: string) => `On: traces are sent to ${address}, without texts.`,
    onWithTexts: (address: string) => `On: traces are sent to ${address}, with all texts.`,
  },
  prices: {
    about: 'USD per million tokens. Custom prices override the built-in list, which may be out of date.',
    table: 'Model prices',
    input: 'Input',
    output: 'Output',
    asOf: 'As of',
    own: 'custom',
    carried: 'built-in',
    unconfirmed: 'unconfirmed',
    add: 'Add price',
    modelHint: 'provider/model, may end in *',
    remove: (model: string) => `Remove the custom price of ${model}`,
    filter: 'Search models',
    file: 'Price file',
  },
  checks: {
    title: 'Diagnostics',
    about: 'Checks everything that a run needs.',
    run: 'Run checks',
    ok: 'OK',
    bad: 'problem',
  },
};
