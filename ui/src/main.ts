import { mount } from 'svelte';
import App from './app/App.svelte';
import Outside from './app/Outside.svelte';
import './app/utilities.css';
import './app/app.css';
import './shared/overlays.css';
import { insideWindow, tauriPlatform } from './platform/tauri';
import type { Platform } from './platform/types';
import { fetchFirst } from './locales';
import { locale } from './shared/locale.svelte';

/** The host: the window, `koab serve`, or, in development only, a scripted one for work on the UI in a browser. */
async function findPlatform(): Promise<Platform | null> {
  if (insideWindow()) return tauriPlatform;
  if (import.meta.env.DEV) return (await import('./platform/fake')).createFake();
  return (await import('./platform/http')).connect();
}

async function begin(): Promise<void> {
  const target = document.getElementById('app');
  if (!target) throw new Error('index.html has no #app');
  // The first picture is in the reader's language.
  const [platform] = await Promise.all([findPlatform(), fetchFirst(locale.first(navigator.language.slice(0, 2)))]);
  if (platform) mount(App, { target, props: { platform } });
  else mount(Outside, { target });
}

// Not awaited here: what is fetched on the way imports parts of this very file, and would wait for its end.
void begin();
