import { svelte } from '@sveltejs/vite-plugin-svelte';
import tailwind from '@tailwindcss/vite';
import { defineConfig } from 'vitest/config';
import { CACHE, cacheKeys } from './cacheKeys';
import { icons } from './icons';

export default defineConfig(({ mode }) => ({
  plugins: [icons, svelte(), tailwind(), cacheKeys],
  clearScreen: false,
  // The documentation lies beside this folder. The window's development URL in tauri.conf.json names this port, so another one would be an empty window.
  server: { port: 1420, strictPort: true, fs: { allow: ['..'] } },
  // data: URLs and inlined scripts would need holes in the content security policy.
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What the window starts with is one file: each costs a turn of the host, and it has to start within moments.
    // So is what another language begins with.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'] },
            { name: (id) => /locales[\\/]([\w-]+)[\\/]first\.ts$/.exec(id)?.[1] ?? null },
          ],
        },
      },
    },
  },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/setupForTests.ts'],
    // A test that passes only at a second try has failed.
    retry: 0,
    // Files share two workers; `setupForTests.ts` lets each begin as if it were alone.
    isolate: false,
    pool: 'threads',
    maxWorkers: 2,
    experimental: { fsModuleCache: true, fsModuleCachePath: CACHE },
  },
  // Vitest would otherwise resolve Svelte's server build, which cannot mount.
  resolve: mode === 'test' ? { conditions: ['browser'] } : {},
}));
