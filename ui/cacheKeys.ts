// Makes the tests' cache of compiled modules safe. Vitest's own key has the module, the lock file and vite.config.ts with what that
// imports; it does not have what else a compiled module depends on.
import { readdirSync, readFileSync } from 'node:fs';
import type { Plugin } from 'vitest/config';

/** What an import leads to depends on which files there are. */
const files = (readdirSync('src', { recursive: true }) as string[]).sort();
const configs = ['svelte.config.js', 'tsconfig.json'].map((file) => readFileSync(file, 'utf8'));
const key = JSON.stringify([process.version, files, configs]);

export const cacheKeys: Plugin = {
  name: 'cache-keys',
  configureVitest({ experimental_defineCacheKeyGenerator }) {
    // A glob is compiled into the list of its files. Vitest looks for `import.meta.glob(` only, not for one with types.
    experimental_defineCacheKeyGenerator(({ sourceCode }) => !sourceCode.includes('import.meta.glob') && key);
  },
};
