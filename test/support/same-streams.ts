import { setTimeout as delay } from 'node:timers/promises';

const withinMs = 60_000;
const requestTimeoutMs = 5_000;

type StreamsOfAccounts = {
  readonly account_details?: readonly {
    readonly stream_detail?: readonly {
      readonly name: string;
      readonly state: { readonly messages: number; readonly first_seq: number; readonly last_seq: number };
    }[];
  }[];
};

/** Waits until the servers with these monitoring addresses hold the same messages in all streams, each in its own copies. */
export async function sameStreams(monitorUrls: readonly string[]): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    const copies = await Promise.all(monitorUrls.map(copiesOf));
    if (copies.every((copy) => copy !== null && copy === copies[0])) return;
    if (performance.now() > deadlineMs) throw new Error(`The servers differ: ${copies.join(' | ')}`);
    await delay(20);
  }
}

/** What the server itself holds; null: it does not answer. */
async function copiesOf(monitorUrl: string): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(requestTimeoutMs);
    const response = await fetch(`${monitorUrl}/jsz?streams=true`, { signal });
    const { account_details: accounts = [] } = (await response.json()) as StreamsOfAccounts;
    const streams = accounts.flatMap(({ stream_detail: details = [] }) => details);
    const lines = streams.map(({ name, state: { messages, first_seq: first, last_seq: last } }) =>
      [name, messages, first, last].join(' '),
    );
    return lines.toSorted().join(', ');
  } catch {
    return null;
  }
}
