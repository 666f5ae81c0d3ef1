// Which rows of a long list are on screen: TanStack's virtualizer, told to Svelte.
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import { onMount, untrack } from 'svelte';
import { painted } from '../painted';

interface Rows {
  /** Rows in all. */
  count: () => number;
  /** Pixels of every row. */
  size: () => number;
  /** Pixels above the rows that stay in place while they scroll. */
  header: number;
  scroller: () => HTMLElement | null;
}

type Options = VirtualizerOptions<HTMLElement, HTMLElement>;

/** Room assumed until the element has been measured, and where nothing is ever laid out. */
const UNMEASURED = { width: 1024, height: 640 };

/** Rows that are drawn beyond either end, so that scrolling finds them there. */
const OVERSCAN = 12;

/** Call it while a component is made. */
export class VirtualRows {
  #version = $state(0);
  /** None at first, so that what can be seen is there sooner. */
  #overscan = $state(0);
  readonly #virtualizer: Virtualizer<HTMLElement, HTMLElement>;

  constructor(rows: Rows) {
    const options = (): Options => ({
      count: rows.count(),
      getScrollElement: rows.scroller,
      estimateSize: rows.size,
      overscan: this.#overscan,
      // The header covers its height of the rows, so scrolling down to a row has that much less room.
      scrollPaddingEnd: rows.header,
      initialRect: UNMEASURED,
      scrollToFn: elementScroll,
      observeElementRect: (instance, tell) =>
        observeElementRect(instance, (rect) => tell(rect.height > 0 ? rect : UNMEASURED)),
      observeElementOffset,
      onChange: () => untrack(() => (this.#version += 1)),
    });
    this.#virtualizer = new Virtualizer(untrack(options));
    onMount(() => {
      const end = this.#virtualizer._didMount();
      this.#virtualizer._willUpdate();
      void painted().then(() => (this.#overscan = OVERSCAN));
      return end;
    });
    $effect.pre(() => {
      const next = options();
      untrack(() => {
        this.#virtualizer.setOptions(next);
        this.#virtualizer.measure();
      });
    });
    $effect(() => {
      rows.count();
      this.#virtualizer._willUpdate();
    });
  }

  get items(): VirtualItem[] {
    void this.#version;
    return this.#virtualizer.getVirtualItems();
  }

  get height(): number {
    void this.#version;
    return this.#virtualizer.getTotalSize();
  }

  /** Scrolls as little as needed to show a row. */
  show(index: number): void {
    this.#virtualizer.scrollToIndex(index, { align: 'auto' });
  }

  /** Rows that fit on the screen at once. */
  page(size: number): number {
    return Math.max(1, Math.floor((this.#virtualizer.scrollRect?.height ?? UNMEASURED.height) / size) - 2);
  }
}
