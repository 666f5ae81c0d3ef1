// The session of `koab serve`, which a tab that has it gives to a new tab of the same page.
//
// A BroadcastChannel reaches pages of one origin only, which is scheme, host and port: no other site and no server on
// another port hears it. The page cannot be framed either (`frame-ancestors 'none'`), so a tab that asks is one the user
// sees. A session is worth nothing to a later program on this port, because the server that knew it has ended.

const CHANNEL = 'koab.session';

/** How long a new tab waits for another one. A live tab answers within a few milliseconds. */
const ANSWER_TIMEOUT_MS = 600;

type Message = { kind: 'ask' } | { kind: 'answer'; session: string };

/** Answers new tabs as long as this one lives. */
export function answerTabs(session: string): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => undefined;
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'ask') channel.postMessage({ kind: 'answer', session } satisfies Message);
  };
  return () => channel.close();
}

/**
 * The session of another tab; `null` when no tab has one that the server accepts. Tabs of an earlier start answer with
 * sessions that are not valid any more, so every answer is checked.
 */
export async function askTabs(isAccepted: (session: string) => Promise<boolean>): Promise<string | null> {
  if (typeof BroadcastChannel === 'undefined') return null;
  const channel = new BroadcastChannel(CHANNEL);
  const tried = new Set<string>();
  const found = await new Promise<string | null>((resolve) => {
    const checks: Promise<void>[] = [];
    // A check that has begun is waited for.
    setTimeout(() => void Promise.all(checks).then(() => resolve(null)), ANSWER_TIMEOUT_MS);
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind !== 'answer' || tried.has(data.session)) return;
      tried.add(data.session);
      checks.push(isAccepted(data.session).then((accepted) => accepted && resolve(data.session)) as Promise<void>);
    };
    channel.postMessage({ kind: 'ask' } satisfies Message);
  });
  channel.close();
  return found;
}
