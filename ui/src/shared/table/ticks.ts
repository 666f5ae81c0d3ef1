// Which rows are ticked after a click, in the order of ticking.

/** One row ticked, or its tick taken away. */
export const toggled = (ticked: readonly string[], row: string): string[] =>
  ticked.includes(row) ? ticked.filter((one) => one !== row) : [...ticked, row];

/** Every row from one to another takes what the other one becomes; `order` is that of the rows as they are shown. */
export function stretched(
  ticked: readonly string[],
  order: readonly string[],
  from: string | null,
  to: string,
): string[] {
  const [start, end] = [from === null ? -1 : order.indexOf(from), order.indexOf(to)];
  if (start < 0 || end < 0) return toggled(ticked, to);
  // From where it began, so that the order of ticking is that of the gesture.
  const range = start <= end ? order.slice(start, end + 1) : order.slice(end, start + 1).reverse();
  const among = new Set(range);
  return ticked.includes(to) ? ticked.filter((one) => !among.has(one)) : [...new Set([...ticked, ...range])];
}

/** All shown rows ticked, or, where they are, none of them; what is hidden stays as it is. */
export function allToggled(ticked: readonly string[], order: readonly string[]): string[] {
  const shown = new Set(order);
  const before = new Set(ticked);
  const others = ticked.filter((one) => !shown.has(one));
  return order.every((one) => before.has(one)) ? others : [...new Set([...ticked, ...order])];
}
