import { defineConfig } from '@playwright/test';
import { given } from './given.ts';
import { BROWSER } from './served.mjs';

/** Stories that take longest begin first, so that none is left over for one worker at the end. */
const LONG = ['screens', 'comparability', 'judged', 'functionchat'].map((name) => `**/${name}.spec.ts`);

export default defineConfig({
  testDir: 'stories',
  workers: 2,
  retries: 0,
  timeout: 900_000,
  expect: { timeout: 30_000 },
  reporter: [['./reporter.ts']],
  metadata: { kept: given.kept },
  use: {
    launchOptions: BROWSER,
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    trace: { mode: 'retain-on-failure', screenshots: false, sources: false },
  },
  projects: [
    { name: 'long', testMatch: LONG },
    { name: 'short', testIgnore: LONG },
  ],
});
