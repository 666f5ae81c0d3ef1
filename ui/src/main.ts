import { begin } from './app/begin';
import './app/utilities.css';
import './app/app.css';
import './shared/overlays.css';
import { insideWindow, tauriPlatform } from './platform/tauri';
import type { Platform } from './platform/types';

/** The host: the window, `koab serve`, or, in development only, a scripted one for work on the UI in a browser. */
async function findPlatform(): Promise<Platform | null> {
  if (insideWindow()) return tauriPlatform;
  if (import.meta.env.DEV) return (await import('./platform/fake')).createFake();
  return (await import('./platform/http')).connect();
}

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no #app');
// Not awaited here: what is fetched on the way imports parts of this very file, and would wait for its end.
void begin(target, findPlatform);
