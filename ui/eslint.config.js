// What the type checker does not see: what is left over, markup from strings, mistakes of Svelte's runes.
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import { defineConfig } from 'eslint/config';
import ts from 'typescript-eslint';

export default defineConfig(
  { ignores: ['dist', 'node_modules', 'src/ipc/gen.ts'] },
  ts.configs.recommended,
  svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  { files: ['**/*.svelte', '**/*.svelte.ts'], languageOptions: { parserOptions: { parser: ts.parser } } },
  {
    rules: {
      // A leading underscore says that a place is held on purpose.
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
      // Maps and sets here are made anew in a `$derived`, and never changed behind its back.
      'svelte/prefer-svelte-reactivity': 'off',
      // svelte-check sees the warnings that a comment silences; this rule compiles without types and does not.
      'svelte/no-unused-svelte-ignore': 'off',
      // A snippet by its name is passed where the component has several.
      'svelte/no-useless-children-snippet': 'off',
      // `{' '}` keeps a space that the compiler would drop.
      'svelte/no-useless-mustaches': 'off',
    },
  },
);
