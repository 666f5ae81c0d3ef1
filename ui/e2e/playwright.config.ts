import { defineConfig } from '@playwright/test';
import { given } from './given.ts';
import { BROWSER } from './served.mjs';

/** Stories that take longest begin first, so that none is left over for one worker at the end. */
const LONG = ['screens', 'comparability', 'judged', 'functionchat'].map((name) => `**/${name}.spec.ts`);

export default defineConfig({
  testDir: 'stories',
  workers: 2,
  retries: 0,
  timeout: 1_800_000,
  expect: { timeout: 30_000 },
  reporter: [['./reporter.ts']],
  metadata: { kept: given.kept },
  use: {
    launchOptions: BROWSER,
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    // The page at each step is much of a story's work; the last page of what failed is kept anyway.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: given.single, sources: false },
  },
  projects: [
    { name: 'long', testMatch: LONG },
    { name: 'short', testIgnore: LONG },
  ],
});
