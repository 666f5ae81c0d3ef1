// A metric's name asks for its explanation; the app, which has the glossary, gives it.
type Explain = (metric: string) => void;
let explains: Explain | null = null;

export const explain: Explain = (metric) => explains?.(metric);

/** From now on `by` explains; returns how to stop. */
export function onExplain(by: Explain): () => void {
  explains = by;
  return () => {
    if (explains === by) explains = null;
  };
}
