// Which rows of a long list are on screen. All rows are equally high, so it is arithmetic: nothing is measured but the
// room, before any row is there.
import { onMount, untrack } from 'svelte';
import { idle } from '../painted';

interface Rows {
  /** Rows in all. */
  count: () => number;
  /** Pixels of every row. */
  size: () => number;
  /** Pixels above the rows that stay in place while they scroll. */
  header: () => number;
  scroller: () => HTMLElement | null;
}

/** Room assumed where nothing is ever laid out. */
const ROOM = 640;

/** Rows that are drawn beyond either end, so that scrolling finds them there. */
const OVERSCAN = 12;

/** Call it while a component is made. */
export class VirtualRows {
  /** Pixels that a row can have; 0 while they are not known. */
  width = $state(0);
  /** Whether the list is scrolled sideways: only then has a cell to be kept in view, which costs a layer each. */
  shifted = $state(false);
  readonly #rows: Rows;
  readonly #height = $derived.by(() => this.#rows.count() * this.#rows.size());
  /** 0 while it is not known: rows that are drawn before would be drawn twice. */
  #room = $state(0);
  /** The first row in view. */
  #at = $state(0);
  /** None at first, so that what can be seen is there sooner. */
  #overscan = $state(0);
  readonly #items = $derived.by(() => {
    if (this.#room === 0) return [];
    const count = this.#rows.count();
    const fits = Math.ceil(this.#room / this.#rows.size()) + 1;
    const at = Math.max(0, Math.min(this.#at, count - fits));
    const first = Math.max(0, at - this.#overscan);
    const length = Math.max(0, Math.min(count, at + fits + this.#overscan) - first);
    return Array.from({ length }, (_, index) => first + index);
  });

  constructor(rows: Rows) {
    this.#rows = rows;
    $effect(() => {
      const scroller = rows.scroller();
      if (scroller) return untrack(() => this.#follow(scroller));
    });
    onMount(() => void idle().then(() => (this.#overscan = OVERSCAN)));
  }

  /** Indexes of the rows to draw, in order. */
  get items(): number[] {
    return this.#items;
  }

  /** Pixels of all rows. */
  get height(): number {
    return this.#height;
  }

  /** Pixels above a row. */
  start(index: number): number {
    return index * this.#rows.size();
  }

  /** Scrolls as little as needed to show a row. */
  show(index: number): void {
    const scroller = this.#rows.scroller();
    if (!scroller) return;
    const top = this.start(index);
    // The header covers its height of the rows.
    const last = top + this.#rows.size() + this.#rows.header() - this.#room;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (last > scroller.scrollTop) scroller.scrollTop = last;
    this.#scrolled(scroller);
  }

  /** Rows that fit on the screen at once. */
  page(): number {
    return Math.max(1, Math.floor(this.#room / this.#rows.size()) - 2);
  }

  #follow(scroller: HTMLElement): () => void {
    this.#laidOut(scroller.clientHeight, scroller.clientWidth);
    this.#room ||= ROOM;
    const scrolled = () => this.#scrolled(scroller);
    scroller.addEventListener('scroll', scrolled, { passive: true });
    const observer =
      'ResizeObserver' in globalThis
        ? new ResizeObserver(([entry]) => this.#laidOut(entry?.contentRect.height ?? 0, entry?.contentRect.width ?? 0))
        : null;
    observer?.observe(scroller);
    return () => {
      scroller.removeEventListener('scroll', scrolled);
      observer?.disconnect();
    };
  }

  #laidOut(height: number, width: number): void {
    // Without height it is not shown.
    if (height > 0) this.#room = Math.ceil(height);
    if (width > 0) this.width = Math.floor(width);
  }

  #scrolled(scroller: HTMLElement): void {
    this.#at = Math.max(0, Math.floor(scroller.scrollTop / this.#rows.size()));
    this.shifted = scroller.scrollLeft > 0;
  }
}
