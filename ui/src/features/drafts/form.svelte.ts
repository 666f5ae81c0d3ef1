// A task or tool while it is written: its text, the same as a value for the form, and what the engine says of both.
import type { DraftItemView, Fault, Finding } from '../../ipc/gen';
import { at, parse, placeOf, put, write, type Json, type Path } from './json';

export class ItemForm {
  readonly key: number;
  text = $state('');
  view = $state.raw<DraftItemView>() as DraftItemView;
  /** The value that the text says; `undefined` while it is not JSON. */
  readonly value: Json | undefined = $derived(parse(this.text));

  #changed: (text: string) => void;

  constructor(view: DraftItemView, changed: (text: string) => void) {
    this.key = view.key;
    this.view = view;
    this.text = view.text;
    this.#changed = changed;
  }

  /** What the engine says now. The text is not touched: it may have been written on meanwhile. */
  heard(view: DraftItemView): void {
    if (view.key === this.key) this.view = view;
  }

  write(text: string): void {
    if (text === this.text) return;
    this.text = text;
    this.#changed(text);
  }

  get(path: Path): Json | undefined {
    return at(this.value, path);
  }

  put(path: Path, value: Json | undefined): void {
    if (this.value === undefined) return;
    this.write(write(put(this.value, path, value)));
  }

  /** Problems at this very place, and with `within` those inside it. */
  problems(path: Path, within = false): Finding<Fault>[] {
    const place = placeOf(path);
    const inside = (field: string) => field.startsWith(`${place}.`) || field.startsWith(`${place}[`);
    return this.view.problems.filter(({ field }) => field !== null && (field === place || (within && inside(field))));
  }
}
