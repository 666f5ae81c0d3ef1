/** Work that is done once at a time: who asks while it goes on has it done once more after that, and waits for both. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let going: Promise<void> | null = null;
  let again = false;
  async function turn(): Promise<void> {
    try {
      do {
        again = false;
        await work();
      } while (again);
    } finally {
      going = null;
    }
  }
  return () => {
    again = going !== null;
    going ??= turn();
    return going;
  };
}
