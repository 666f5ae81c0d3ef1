// Makes the tests' cache of compiled modules safe. Vitest's own key has the module, the lock file and vite.config.ts with what that
// imports; it does not have what else a compiled module depends on.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';

/** A file beside this one, wherever vite was started. */
const beside = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** What an import leads to depends on which files there are. */
const files = (readdirSync(beside('src'), { recursive: true }) as string[]).sort();
const configs = ['svelte.config.js', 'tsconfig.json'].map((file) => readFileSync(beside(file), 'utf8'));
const key = createHash('sha1')
  .update(JSON.stringify([process.version, files, configs]))
  .digest('hex');

const FOLDER = beside('node_modules/.cache/vitest');
const DAY_MS = 86_400_000;
export const CACHE = `${FOLDER}/${key}`;

export const cacheKeys: Plugin = {
  name: 'cache-keys',
  configureVitest({ experimental_defineCacheKeyGenerator }) {
    // What has another key is of no use any more, but a run that began before may still read it.
    for (const name of existsSync(FOLDER) ? readdirSync(FOLDER) : []) {
      const other = `${FOLDER}/${name}`;
      if (name !== key && statSync(other).mtimeMs < Date.now() - DAY_MS)
        rmSync(other, { recursive: true, force: true });
    }
    // A glob is compiled into the list of its files. Vitest looks for `import.meta.glob(` only, not for one with types.
    experimental_defineCacheKeyGenerator(({ sourceCode }) => !sourceCode.includes('import.meta.glob') && key);
  },
};
