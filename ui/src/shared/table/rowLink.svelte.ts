// The address of a row that has no page of its own: that of the screen as it is shown, with the row named.
import { copyText } from '../clipboard';
import { linkTo } from '../link';
import { route } from '../route.svelte';

/** How the last copying ended, for two seconds, by the row. */
export const copiedRow = $state<{ row: string | null; outcome: 'copied' | 'failed' }>({ row: null, outcome: 'copied' });

let forget: ReturnType<typeof setTimeout> | undefined;

export async function copyRow(row: string): Promise<void> {
  const outcome = (await copyText(linkTo(route.with({ row })))) ? 'copied' : 'failed';
  Object.assign(copiedRow, { row, outcome });
  clearTimeout(forget);
  forget = setTimeout(() => (copiedRow.row = null), 2_000);
}
