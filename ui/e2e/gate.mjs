// What holds a server's answers, so that a story finds a run where it has to be and not where it happens to be.

/** A gate that is open. Whoever passes waits where it is closed; who has gone away by then is counted no more. */
export function gate() {
  let left = Infinity;
  const waiting = [];
  const letThrough = (count) => {
    left += count;
    while (left > 0 && waiting.length > 0) {
      const { go, waits } = waiting.shift();
      if (waits()) left -= 1;
      go();
    }
  };
  const held = () => waiting.filter(({ waits }) => waits()).length;
  return {
    /** Lets so many more through, and holds who comes after them. */
    hold(after = 0) {
      left = after;
    },
    /** Lets more through: as many as are held, unless it is said how many. */
    allow: (count = held()) => letThrough(count),
    open: () => letThrough(Infinity),
    /** How many are held. */
    held,
    /** Waits for its turn; `waits` says whether the asker is still there. */
    pass: (waits = () => true) =>
      new Promise((go) => {
        waiting.push({ go, waits });
        letThrough(0);
      }),
  };
}
