import type { PlayerTokenRequest } from '../../contracts/payments/player-authentication.ts';

/** For whom a wallet is called. */
export type Caller =
  | { readonly kind: 'service' }
  /** Anybody, in turn by address. */
  | { readonly kind: 'public'; readonly address: string; readonly proven: boolean };

export const service: Caller = { kind: 'service' };
/** All open sockets of a brand together: they have shown a good token. */
const openSockets: Caller = { kind: 'public', address: 'open sockets', proven: true };

export function callerOfRequest({ caller, proven }: PlayerTokenRequest): Caller {
  switch (caller.kind) {
    case 'service':
      return service;
    case 'open_socket':
      return openSockets;
    case 'frontend':
      return { kind: 'public', address: caller.address, proven };
  }
}
