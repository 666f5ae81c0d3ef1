// A chart in an element: drawn once there is room, again with other colours, data or sizes, and kept as a file.
import type { EChartsOption } from 'echarts';
import { toWireError } from '../../ipc/errors';
import type { WireError } from '../../ipc/gen';
import type { Platform } from '../../platform/types';
import { idle } from '../painted';
import { appearance } from '../theme.svelte';
import type { ECharts } from './engine';
import { palette, type Palette, paperPalette, themeOf } from './palette';

/** Width of a kept chart that was never laid out, in pixels. */
const PRINTED_WIDTH = 720;

interface Drawn {
  option: (colours: Palette) => EChartsOption;
  /** Pixels. */
  height: number;
  onPick: ((series: number, at: number, name: string) => void) | undefined;
}

export class Drawing {
  error = $state.raw<WireError | null>(null);
  /** Where it was kept last. */
  kept = $state<string | null>(null);

  #chart = $state.raw<ECharts | null>(null);
  #width = $state(0);
  /** Rises when the system changes between light and dark. */
  #scheme = $state(0);
  #loading = false;
  #drawn: () => Drawn;
  #engine: () => Promise<Pick<typeof import('./engine'), 'draw' | 'asSvg' | 'asPng'>>;

  constructor(drawn: () => Drawn, engine = () => import('./engine')) {
    this.#drawn = drawn;
    this.#engine = engine;
  }

  /** Draws in the element while that is on the page. */
  attach = (target: HTMLElement): (() => void) | undefined => {
    // Where nothing is ever laid out (jsdom) there is no observer either.
    if (!('ResizeObserver' in globalThis)) return;
    let gone = false;
    const observer = new ResizeObserver(() => {
      this.#width = target.clientWidth;
      void this.#begin(target, () => gone);
    });
    observer.observe(target);
    const dark = window.matchMedia?.('(prefers-color-scheme: dark)');
    const changed = () => (this.#scheme += 1);
    dark?.addEventListener('change', changed);
    $effect(() => this.#paint());
    $effect(() => {
      if (this.#width > 0) this.#chart?.resize({ width: this.#width, height: this.#drawn().height });
    });
    return () => {
      gone = true;
      observer.disconnect();
      dark?.removeEventListener('change', changed);
      this.#chart?.dispose();
      this.#chart = null;
    };
  };

  async #begin(target: HTMLElement, isGone: () => boolean): Promise<void> {
    const hasRoom = () => !isGone() && this.#width > 0;
    if (this.#loading || this.#chart || !hasRoom()) return;
    this.#loading = true;
    try {
      // The screen's words and numbers come first; and who only passes by needs no charts.
      await idle();
      const engine = hasRoom() ? await this.#engine() : null;
      if (!engine || !hasRoom()) return;
      this.#chart = engine.draw(target, themeOf(palette()));
      this.#chart.on('click', ({ seriesIndex, dataIndex, name }) =>
        this.#drawn().onPick?.(seriesIndex ?? 0, dataIndex, name),
      );
    } catch (failed) {
      this.error = toWireError(failed);
    } finally {
      this.#loading = false;
    }
  }

  #paint(): void {
    void [appearance.theme, this.#scheme];
    if (!this.#chart) return;
    const colours = palette();
    this.#chart.setTheme(themeOf(colours), { silent: true });
    this.#chart.setOption({ animation: false, ...this.#drawn().option(colours) }, { notMerge: true });
  }

  /** Keeps it in light colours on white as a file; `file` is the name without ending. */
  async save(kind: 'SVG' | 'PNG', file: string, platform: Pick<Platform, 'save'>): Promise<void> {
    this.kept = this.error = null;
    try {
      const { asSvg, asPng } = await this.#engine();
      const light = paperPalette();
      const { option, height } = this.#drawn();
      const size = { width: this.#width || PRINTED_WIDTH, height };
      const printed = [{ backgroundColor: light.surface, ...option(light) }, themeOf(light), size] as const;
      this.kept =
        kind === 'SVG'
          ? await platform.save(`${file}.svg`, asSvg(...printed), 'image/svg+xml')
          : await platform.save(`${file}.png`, asPng(...printed), 'image/png');
    } catch (failed) {
      this.error = toWireError(failed);
    }
  }
}
