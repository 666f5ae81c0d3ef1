// The settings of the workspace, as every screen may need them. The engine keeps them; language and theme are also
// remembered by the page, so that its first picture is right before the engine has answered.
import type { Client } from '../ipc/client';
import { toWireError } from '../ipc/errors';
import type { Settings, SettingsView, WireError } from '../ipc/gen';
import { locale } from './locale.svelte';
import { appearance } from './theme.svelte';

class Preferences {
  view = $state.raw<SettingsView | null>(null);
  error = $state.raw<WireError | null>(null);
  saving = $state(false);

  #client: Client | null = null;
  #system = 'en';

  /** Reads the settings and shows the page as they say; without a word on the language, in the system's. */
  async begin(client: Client, system: string | Promise<string>): Promise<void> {
    this.#client = client;
    this.view = null;
    await this.#take(async () => {
      const [view, language] = await Promise.all([client.call('settings_get', {}), system]);
      this.#system = language;
      return view;
    });
  }

  load = (): Promise<void> => this.#take((client) => client.call('settings_get', {}));

  /** Changes some of them; answers whether they were kept. */
  async change(some: Partial<Settings>): Promise<boolean> {
    const { view } = this;
    if (!view) return false;
    await this.#take((client) => client.call('settings_set', { settings: { ...view.settings, ...some } }));
    return this.error === null;
  }

  /** Turns the switch that lets nothing leave this computer; answers whether it was kept. */
  async goOffline(on: boolean): Promise<boolean> {
    await this.#take((client) => client.call('offline_set', { on }));
    return this.error === null;
  }

  chooseWorkspace = (folder: string | null): Promise<void> =>
    this.#take(async (client) => {
      await client.call('workspace_choose', { folder });
      return client.call('settings_get', {});
    });

  async #take(ask: (client: Client) => Promise<SettingsView>): Promise<void> {
    if (!this.#client) return;
    this.saving = true;
    this.error = null;
    try {
      this.view = await ask(this.#client);
      const { language, theme } = this.view.settings;
      locale.adopt(language, this.#system);
      appearance.choose(theme);
    } catch (error) {
      this.error = toWireError(error);
    } finally {
      this.saving = false;
    }
  }
}

export const preferences = new Preferences();
