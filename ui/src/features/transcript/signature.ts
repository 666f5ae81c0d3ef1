// Who overrides verdicts here: the workspace's setting; until it is made, the name of the last override that the engine keeps.
import type { Client } from '../../ipc/client';
import { preferences } from '../../shared/preferences.svelte';

/** The name to suggest; without one it is empty and has to be typed. */
export async function suggested(client: Client): Promise<string> {
  const set = preferences.view?.settings.reviewer;
  if (set) return set;
  try {
    const rows = await client.call('verdict_overrides', { run: null });
    return rows.reduce((last, row) => (row.at >= last.at ? row : last), { at: '', by: '' }).by;
  } catch {
    // A suggestion only: whatever is wrong with the engine is said when the override is kept.
    return '';
  }
}

/** The first name that is signed with becomes the setting; another is for once. */
export function signed(name: string): void {
  if (preferences.view && !preferences.view.settings.reviewer) void preferences.change({ reviewer: name.trim() });
}
