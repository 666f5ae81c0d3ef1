// What runs before each file of tests.
import { vi } from 'vitest';
import { fetchLanguage } from './locales';

// Time is faked: the limit ends a test that hangs. It is far away, since what a test imports may have to be compiled first.
vi.setConfig({ testTimeout: 120_000 });

// What jsdom lacks. A test that wants to hear of it puts its own in its place.
Element.prototype.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;
HTMLCanvasElement.prototype.getContext = () => null;

// Tests change the language at once, and read what is said in it.
await fetchLanguage('ko');
