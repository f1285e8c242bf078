import * as z from 'zod';
import type { Bus, Random } from '../../ports.ts';

/** Gateways tell each other about log-ins, so that failures count together (docs/decisions/0084). */
export interface LoginNews {
  /** Tells the others; a message that is lost is not repeated. */
  announce(news: LoginEvent): void;
  /** Calls back with what the others tell. */
  hear(receive: (news: LoginEvent) => void): { stop(): void };
}

export interface LoginEvent {
  /** `proved`: a log-in, or the renewal of a token. */
  readonly kind: 'failed' | 'proved';
  /** Kind of account, address and name. */
  readonly pair: string;
}

const senderBytes = 9;
const message = z.object({
  v: z.literal(1),
  from: z.string(),
  kind: z.enum(['failed', 'proved']),
  pair: z.string(),
});

/** News on a subject of the bus that only gateways may use. */
export function openLoginNews(
  bus: Pick<Bus, 'publish' | 'subscribe' | 'connected'>,
  subject: string,
  random: Random,
): LoginNews {
  const from = Buffer.from(random.bytes(senderBytes)).toString('base64url');
  return {
    announce({ kind, pair }) {
      if (bus.connected()) bus.publish(subject, Buffer.from(JSON.stringify({ v: 1, from, kind, pair })));
    },
    hear(receive) {
      return bus.subscribe(subject, ({ bytes }) => {
        const news = decode(bytes);
        if (news !== null && news.from !== from) receive({ kind: news.kind, pair: news.pair });
      });
    },
  };
}

/** null: another release wrote it. */
function decode(bytes: Uint8Array): z.output<typeof message> | null {
  try {
    return message.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    return null;
  }
}
