import { request } from 'node:http';
import type { FeedWorld } from './feed-world.ts';

export interface Refusal {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: { readonly code: string };
}

/** Asks for a websocket and gives back why there is none. */
export function upgrade(
  feed: FeedWorld,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Refusal> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`http://127.0.0.1:${feed.fanout.port}${path}`, {
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...headers,
      },
    });
    outgoing.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Error('it was upgraded'));
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(text) }),
      );
    });
    outgoing.end();
  });
}
