// A gate that holds a server's answers, so that a story decides how far a run gets.

/** An open gate. A request waits while the gate is closed; a request whose client left is not counted. */
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
    /** Lets `after` more requests through and holds the following ones. */
    hold(after = 0) {
      left = after;
    },
    /** Lets `count` more requests through: by default all that are held. */
    allow: (count = held()) => letThrough(count),
    open: () => letThrough(Infinity),
    /** Number of held requests. */
    held,
    /** Waits for its turn; `waits` tells whether the client is still connected. */
    pass: (waits = () => true) =>
      new Promise((go) => {
        waiting.push({ go, waits });
        letThrough(0);
      }),
  };
}
