// What another process may change is asked for again while it is looked at, the more rarely the longer that takes.
const LOOK_MS = 5_000;

/** Call it while a component is made. */
export function lookAgain(load: () => Promise<void>, wanted: () => boolean = () => true): void {
  $effect(() => {
    if (!wanted()) return;
    let over = false;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      const begun = performance.now();
      if (document.visibilityState === 'visible') await load();
      // Nobody looks any more.
      if (over) return;
      timer = setTimeout(() => void look(), LOOK_MS + 20 * (performance.now() - begun));
    };
    timer = setTimeout(() => void look(), LOOK_MS);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  });
}
