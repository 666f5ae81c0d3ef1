// What somebody has made of a table's columns: their widths, and which stay in view. Each browser remembers it by the
// table's name.

const KEY = 'koab.table.';
/** Pixels that a column has at least, and that a key press changes. */
const LEAST = 40;
const STEP = 16;

interface Kept {
  widths: Readonly<Record<string, number>>;
  pinned: readonly string[];
}

const NOTHING: Kept = { widths: {}, pinned: [] };

function read(name: string): Kept {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY + name) ?? 'null') as Partial<Kept> | null;
    const widths = Object.entries(kept?.widths ?? {}).filter(([, width]) => Number.isFinite(width) && width >= LEAST);
    const pinned = Array.isArray(kept?.pinned) ? kept.pinned.filter((id) => typeof id === 'string') : [];
    return { widths: Object.fromEntries(widths), pinned };
  } catch {
    return NOTHING;
  }
}

/** Call it while a component is made. */
export class Layout {
  readonly #name: string;
  #kept = $state.raw<Kept>(NOTHING);

  constructor(name: string) {
    this.#name = name;
    this.#kept = read(name);
  }

  /** Pixels of the columns whose width was changed, by id. */
  get widths(): Readonly<Record<string, number>> {
    return this.#kept.widths;
  }

  /** Ids of the columns that stay in view, beside those that always do. */
  get pinned(): readonly string[] {
    return this.#kept.pinned;
  }

  /** Whether anything differs from what the screen says. */
  get changed(): boolean {
    return this.pinned.length > 0 || Object.keys(this.widths).length > 0;
  }

  /** Gives a column that many pixels; `null` gives it back its own. */
  resize(column: string, pixels: number | null): void {
    const { [column]: _, ...others } = this.widths;
    const widths = pixels === null ? others : { ...others, [column]: Math.max(LEAST, Math.round(pixels)) };
    this.#keep({ ...this.#kept, widths });
  }

  /** Makes a column wider, or narrower below 0, by so many steps of a key. */
  step(column: string, now: number, steps: number): void {
    this.resize(column, now + steps * STEP);
  }

  /** Keeps a column in view, or no longer. */
  pin(column: string): void {
    const { pinned } = this;
    const others = pinned.filter((one) => one !== column);
    this.#keep({ ...this.#kept, pinned: others.length < pinned.length ? others : [...pinned, column] });
  }

  reset(): void {
    this.#keep(NOTHING);
  }

  #keep(kept: Kept): void {
    this.#kept = kept;
    try {
      if (this.changed) localStorage.setItem(KEY + this.#name, JSON.stringify(kept));
      else localStorage.removeItem(KEY + this.#name);
    } catch {
      // A browser that keeps nothing has it until the page is left.
    }
  }
}
