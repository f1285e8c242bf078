import { platform } from './platform.ts';
import { noAnswer } from './retry.ts';

export interface Transport {
  /** Undefined: the way is one-way. */
  send?(text: string): void;
  /** Nothing of it is heard after this. */
  close(): void;
}

export interface Hearer {
  open(): void;
  message(text: string): void;
  /** Ends it. */
  closed(code: number, reason: string): void;
}

const eventTypes = ['JackpotUpdate', 'WinEvent', 'RaffleWinEvent', 'InstanceStatusEvent'];
const closedStream = 2;

export function openSocket(address: string, hearer: Hearer): Transport {
  if (platform.WebSocket === undefined) throw new TypeError('There is no WebSocket here.');
  const socket = new platform.WebSocket(address.replace(/^http/, 'ws'));
  socket.onopen = () => hearer.open();
  socket.onmessage = ({ data }) => hearer.message(String(data));
  socket.onclose = ({ code, reason }) => hearer.closed(code, reason);
  // A close follows; without a listener, ws throws.
  socket.onerror = () => {};
  return {
    send: (text) => socket.send(text),
    close() {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    },
  };
}

export const hasStreams = () => platform.EventSource !== undefined;

/** The public feed as Server-Sent Events: where no websocket gets through. The browser comes back by itself. */
export function openStream(address: string, hearer: Hearer): Transport {
  const stream = new platform.EventSource!(address);
  let isOpen = true;
  const end = (code: number, reason: string) => {
    if (!isOpen) return;
    isOpen = false;
    stream.close();
    hearer.closed(code, reason);
  };
  stream.onopen = () => isOpen && hearer.open();
  stream.onerror = () => stream.readyState === closedStream && end(noAnswer, '');
  for (const type of eventTypes)
    stream.addEventListener(type, ({ data }) => isOpen && hearer.message(String(data)));
  stream.addEventListener('close', ({ data }) => {
    const { code, reason } = JSON.parse(String(data));
    end(code, reason);
  });
  return {
    close() {
      isOpen = false;
      stream.close();
    },
  };
}
