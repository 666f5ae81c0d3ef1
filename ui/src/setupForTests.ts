// What runs before each file of tests.
import { vi } from 'vitest';

// A worker keeps its window and its modules from file to file, which saves most of the time. Whatever a file leaves in them
// ends here, so that each begins as if it were alone: in whichever order the files run, they tell the same.
vi.resetModules();
vi.useRealTimers();
vi.unstubAllGlobals();
localStorage.clear();
sessionStorage.clear();
history.replaceState(null, '', '/');
const html = document.createElement('html');
html.append(document.createElement('head'), document.createElement('body'));
document.documentElement.replaceWith(html);
forgetListeners(window);
forgetListeners(document);

// Time is faked: the limit ends a test that hangs. It is far away, since what a test imports may have to be compiled first.
vi.setConfig({ testTimeout: 120_000 });

// What jsdom lacks. A test that wants to hear of it puts its own in its place.
Element.prototype.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;
HTMLCanvasElement.prototype.getContext = () => null;

// Tests change the language at once, and read what is said in it.
const { fetchLanguage } = await import('./locales');
await fetchLanguage('ko');

/** Removes the listeners that the file before added to `target`, and notes those that are added from now on. */
function forgetListeners(target: EventTarget & { forget?: () => void }): void {
  target.forget?.();
  const own = Object.getOwnPropertyDescriptor(target, 'addEventListener');
  const add = target.addEventListener.bind(target);
  const added: Parameters<EventTarget['addEventListener']>[] = [];
  target.addEventListener = (...listener: Parameters<EventTarget['addEventListener']>) => {
    added.push(listener);
    add(...listener);
  };
  target.forget = () => {
    for (const [type, heard, options] of added) target.removeEventListener(type, heard, options);
    if (own) Object.defineProperty(target, 'addEventListener', own);
    else Reflect.deleteProperty(target, 'addEventListener');
  };
}
