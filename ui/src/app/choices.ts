// Language and appearance, wherever they are chosen: shown at once, and kept in the workspace where it is open.
import type { Language } from '../locales';
import { locale } from '../shared/locale.svelte';
import { preferences } from '../shared/preferences.svelte';
import { appearance, type Theme } from '../shared/theme.svelte';

export function chooseLanguage(language: Language): void {
  locale.choose(language);
  void preferences.change({ language });
}

export function chooseTheme(theme: Theme): void {
  appearance.choose(theme);
  void preferences.change({ theme });
}
