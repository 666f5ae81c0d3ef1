/** A count with what it counts: `1 attempt`, `2 attempts`. A formatted count is taken as it is. */
export function plural(count: string | number, one: string, many = `${one}s`): string {
  return `${count} ${String(count) === '1' ? one : many}`;
}
