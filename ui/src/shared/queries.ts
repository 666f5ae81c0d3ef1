// The answers of one host, kept by TanStack Query.
import { notifyManager, QueryClient } from '@tanstack/svelte-query';

// The page is drawn once a turn anyway.
notifyManager.setScheduler(queueMicrotask);

/** Answers of one host. Nothing is asked twice by itself: whether it is worth another try, the user sees best. */
export const createQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      // The engine is in this computer: the network is none of the question. Large answers are not kept for long.
      queries: {
        networkMode: 'always',
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        gcTime: 30_000,
      },
    },
  });
