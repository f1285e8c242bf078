/** Clients of @potstream/client in a process of their own, as many pages of an operator would be. */
import { setTimeout as pause } from 'node:timers/promises';
import WebSocket from 'ws';
import { answerCalls } from './remote.ts';

export type Clients = {
  /** Resolves when all are live. */
  open(input: {
    readonly port: number;
    readonly token: string;
    readonly instance: string;
    readonly count: number;
  }): Promise<void>;
  /** Waits until all are live and have had that many counted events each. */
  settled(input: { readonly events: number; readonly withinMs: number }): Promise<Settled>;
};

export interface Settled {
  /** Clients that lack a counted event, or had one twice. */
  readonly wrong: number;
  /** Sockets opened since the clients were live first, and the most of them in one second. */
  readonly sockets: number;
  readonly peakPerSecond: number;
}

type Client = ReturnType<typeof import('../../client/src/index.ts')['connect']>;

const atOnce = 200;
const pollMs = 50;
const built = new URL('../../../client/dist/index.js', import.meta.url).href;
const { connect } = (await import(built)) as typeof import('../../client/src/index.ts');

const openedMs: number[] = [];
class CountedSocket extends WebSocket {
  constructor(address: string) {
    super(address, { perMessageDeflate: false });
    openedMs.push(performance.now());
  }
}
globalThis.WebSocket = CountedSocket as never;

const clients: Client[] = [];
/** Sequences of the counted events of each client, as they came. */
const counters: number[][] = [];

const allLive = async (): Promise<void> => {
  while (clients.some(({ state }) => state !== 'live')) await pause(pollMs);
};

answerCalls({
  async open({ port, token, instance, count }) {
    const url = `http://127.0.0.1:${port}/events/service`;
    while (clients.length < count) {
      for (let n = 0; n < atOnce && clients.length < count; n += 1) {
        const client = connect({ url, token: async () => token, instances: [instance] });
        const seen: number[] = [];
        client.on('status', ({ seq }) => void seen.push(seq));
        clients.push(client);
        counters.push(seen);
      }
      await allLive();
    }
    openedMs.length = 0;
  },
  async settled({ events, withinMs }) {
    const deadlineMs = performance.now() + withinMs;
    const isWhole = (seen: readonly number[]) => seen.length === events && new Set(seen).size === events;
    while (performance.now() < deadlineMs) {
      if (clients.every(({ state }) => state === 'live') && counters.every(isWhole)) break;
      await pause(pollMs);
    }
    let peakPerSecond = 0;
    let from = 0;
    for (let to = 0; to < openedMs.length; to += 1) {
      while (openedMs[to]! - openedMs[from]! >= 1_000) from += 1;
      peakPerSecond = Math.max(peakPerSecond, to - from + 1);
    }
    const wrong = counters.filter((seen) => !isWhole(seen)).length;
    return { wrong, sockets: openedMs.length, peakPerSecond };
  },
} satisfies Clients);
