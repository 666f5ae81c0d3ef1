import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { appearance } from '../theme.svelte';
import { Drawing } from './drawing.svelte';

const chart = { on: vi.fn(), setTheme: vi.fn(), setOption: vi.fn(), resize: vi.fn(), dispose: vi.fn() };
const engine = { draw: vi.fn(() => chart), asSvg: vi.fn(() => '<svg/>'), asPng: vi.fn(() => new Uint8Array([1])) };
let sizes: () => void = () => {};
let unload = () => {};

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(heard: () => void) {
        sizes = heard;
      }
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  unload();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A chart on the page; `load` is the fetch of the library. */
function open(load: () => Promise<typeof engine> = async () => engine) {
  let title = $state('one');
  const onPick = vi.fn();
  const fetched = vi.fn(load);
  const drawing = new Drawing(
    () => ({ option: () => ({ title: { text: title } }), height: 100, onPick }),
    fetched as never,
  );
  const target = document.createElement('div');
  unload = $effect.root(() => {
    $effect(() => drawing.attach(target));
  });
  flushSync();
  const resize = (width: number) => {
    Object.defineProperty(target, 'clientWidth', { value: width, configurable: true });
    sizes();
    flushSync();
  };
  const settle = async () => {
    await vi.advanceTimersByTimeAsync(1_000);
    flushSync();
  };
  return { drawing, onPick, fetched, resize, settle, name: (text: string) => ((title = text), flushSync()) };
}

it('is drawn once there is room, and again with other data, colours and sizes', async () => {
  const { fetched, resize, settle, name } = open();
  await settle();
  expect(fetched).not.toHaveBeenCalled();
  resize(300);
  resize(310);
  await settle();
  expect([engine.draw.mock.calls.length, fetched.mock.calls.length]).toEqual([1, 1]);
  expect(chart.setOption).toHaveBeenLastCalledWith({ animation: false, title: { text: 'one' } }, { notMerge: true });
  name('two');
  expect(chart.setOption).toHaveBeenLastCalledWith({ animation: false, title: { text: 'two' } }, { notMerge: true });
  appearance.theme = appearance.theme === 'dark' ? 'light' : 'dark';
  flushSync();
  expect(chart.setTheme).toHaveBeenCalledTimes(3);
  resize(400);
  expect(chart.resize).toHaveBeenLastCalledWith({ width: 400, height: 100 });
  unload();
  expect(chart.dispose).toHaveBeenCalledOnce();
});

it('that is left before the library is there is never drawn', async () => {
  let arrive: (found: typeof engine) => void = () => {};
  const { resize, settle } = open(() => new Promise((resolve) => (arrive = resolve)));
  resize(300);
  await settle();
  unload();
  arrive(engine);
  await settle();
  expect(engine.draw).not.toHaveBeenCalled();
});

it('that lost its room meanwhile is drawn when it has it again', async () => {
  const { resize, settle } = open();
  resize(300);
  resize(0);
  await settle();
  expect(engine.draw).not.toHaveBeenCalled();
  resize(300);
  await settle();
  expect(engine.draw).toHaveBeenCalledOnce();
});

it('says why it cannot be drawn, and hands on what is clicked', async () => {
  const failing = open(() => Promise.reject(new Error('no chunk')));
  failing.resize(300);
  await failing.settle();
  expect(failing.drawing.error?.message).toContain('no chunk');
  unload();
  const { onPick, resize, settle } = open();
  resize(300);
  await settle();
  chart.on.mock.calls[0]?.[1]({ seriesIndex: 2, dataIndex: 3, name: 'L1' });
  expect(onPick).toHaveBeenCalledWith(2, 3, 'L1');
});

it('is kept as a file in its size, and says where or why not', async () => {
  const { drawing } = open();
  const save = vi.fn(async (name: string) => `/tmp/${name}`);
  await drawing.save('SVG', 'levels', { save });
  expect([drawing.kept, save.mock.calls[0]]).toEqual(['/tmp/levels.svg', ['levels.svg', '<svg/>', 'image/svg+xml']]);
  expect((engine.asSvg.mock.calls[0] as unknown[])[2]).toEqual({ width: 720, height: 100 });
  await drawing.save('PNG', 'levels', { save: () => Promise.reject(new Error('the disk is full')) });
  expect([drawing.kept, drawing.error?.message]).toEqual([null, 'the disk is full']);
});
