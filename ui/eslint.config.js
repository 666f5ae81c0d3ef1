// Faults that the type checker accepts: unused names, markup from strings, misused runes, promises that nobody awaits.
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import { defineConfig } from 'eslint/config';
import ts from 'typescript-eslint';

const TYPED = ['**/*.ts', '**/*.svelte'];

export default defineConfig(
  { ignores: ['dist', 'node_modules', 'src/ipc/gen.ts'] },
  ts.configs.recommended,
  svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  // One set of options for all typed files: the service reloads its projects whenever they change.
  {
    files: TYPED,
    languageOptions: {
      parserOptions: {
        parser: ts.parser,
        projectService: true,
        extraFileExtensions: ['.svelte'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
    },
  },
  {
    rules: {
      // A leading underscore says that a place is held on purpose.
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
      // Maps and sets here are made anew in a `$derived`, and never changed behind its back.
      'svelte/prefer-svelte-reactivity': 'off',
      // The page has runes and no stores, and with types this rule is slow.
      'svelte/require-store-reactive-access': 'off',
      // svelte-check sees the warnings that a comment silences; this rule compiles without types and does not.
      'svelte/no-unused-svelte-ignore': 'off',
      // A snippet by its name is passed where the component has several.
      'svelte/no-useless-children-snippet': 'off',
      // `{' '}` keeps a space that the compiler would drop.
      'svelte/no-useless-mustaches': 'off',
    },
  },
);
