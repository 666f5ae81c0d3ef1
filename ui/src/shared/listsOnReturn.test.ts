import { QueryObserver } from '@tanstack/svelte-query';
import { afterEach, expect, it, vi } from 'vitest';
import { readListsOnReturn } from './listsOnReturn';
import { createQueries } from './queries';

afterEach(() => void vi.restoreAllMocks());

it('lists that are shown are read again once when the reader comes back, and nothing else is', async () => {
  const queries = createQueries();
  const asked: string[] = [];
  const leave = ['runs_list', 'reports_library', 'compare'].map((command) =>
    new QueryObserver(queries, {
      queryKey: [command, {}],
      queryFn: () => {
        asked.push(command);
        return Promise.resolve(command);
      },
    }).subscribe(() => undefined),
  );
  const settled = () => vi.waitFor(() => expect(queries.isFetching()).toBe(0));
  await settled();
  asked.length = 0;
  const stop = readListsOnReturn(queries);
  const seen = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(asked).toEqual([]);
  seen.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  dispatchEvent(new Event('focus'));
  await settled();
  expect(asked).toEqual(['runs_list', 'reports_library']);
  stop();
  dispatchEvent(new Event('focus'));
  await settled();
  expect(asked).toHaveLength(2);
  leave.forEach((end) => end());
  queries.clear();
});
