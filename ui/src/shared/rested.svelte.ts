// What is typed, once it has come to rest: nobody wants an answer for each key.

interface Rested<T> {
  readonly value: T | null;
  /** Whether it is not yet what is typed. */
  readonly moving: boolean;
}

/** What `now` says, after it has not changed for a moment; `null` is taken at once. Call it while a component is made. */
export function useRested<T>(now: () => T | null, rest_ms = 250): Rested<T> {
  const typed = $derived(JSON.stringify(now()));
  let taken = $state('null');
  const value = $derived(JSON.parse(taken) as T | null);
  $effect(() => {
    const text = typed;
    const timer = setTimeout(() => (taken = text), text === 'null' ? 0 : rest_ms);
    return () => clearTimeout(timer);
  });
  return {
    get value() {
      return typed === 'null' ? null : value;
    },
    get moving() {
      return typed !== taken;
    },
  };
}
