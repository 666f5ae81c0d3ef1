// Whether this computer has a container engine, as the engine's own examination says.
import type { Check } from '../../ipc/gen';
import { useCall } from '../../shared/query.svelte';

export interface Containers {
  /** What is wrong; nothing while it is not known or all is well. */
  readonly missing: Check | null;
  /** Whether an engine was found. */
  readonly found: boolean;
  readonly looking: boolean;
  look: () => Promise<void>;
}

/** Looks as long as they are `wanted`. Call it while a component is made. */
export function useContainers(wanted: () => boolean): Containers {
  const checks = useCall('doctor', () => (wanted() ? {} : null));
  const check = $derived(checks.value?.find(({ what }) => what === 'containers') ?? null);
  return {
    get missing() {
      return check && !check.ok ? check : null;
    },
    get found() {
      return check?.ok ?? false;
    },
    get looking() {
      return checks.loading;
    },
    look: checks.load,
  };
}
