export type Theme = 'system' | 'light' | 'dark';
export const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

const STORED = 'koab.theme';

/** Light or dark. The colours themselves are `light-dark()` pairs in `app.css`; this only pins the scheme. */
class Appearance {
  theme = $state<Theme>('system');

  begin(): void {
    const chosen = localStorage.getItem(STORED);
    if (chosen === 'light' || chosen === 'dark') this.show(chosen);
  }

  choose(theme: Theme): void {
    localStorage.setItem(STORED, theme);
    this.show(theme);
  }

  private show(theme: Theme): void {
    this.theme = theme;
    document.documentElement.dataset['theme'] = theme;
  }
}

export const appearance = new Appearance();
