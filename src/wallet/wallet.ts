import type { BrandWallets } from '../access/brand-wallets.ts';
import {
  decodePlayerTokenQuestion,
  encodePlayerAuthentication,
  encodeRevokedPlayerToken,
} from '../contracts/wallet.ts';
import type { Bus, BusMessage, Clock } from '../lib/ports.ts';
import { BrandClients } from './brand-clients.ts';
import { createMetrics } from './metrics.ts';
import { PlayerAuthenticator } from './player-authenticator.ts';

export interface WalletPorts {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly wallets: Pick<BrandWallets, 'find'>;
  readonly subjects: { readonly authenticate: string; readonly revoked: string };
  /** A bug of ours, or settings that this host cannot open. */
  readonly report: (error: unknown) => void;
}

export interface WalletRole {
  /** null when questions are answered; otherwise one word why not. */
  unready(): string | null;
  metrics(): Promise<string>;
  stop(): Promise<void>;
}

/** Wallet roles share the questions between them. */
const queue = 'wallet';

/** Speaks with brands' wallets for everybody else: answers `wallet.authenticate`. */
export function startWallet(ports: WalletPorts): WalletRole {
  const { bus, clock, wallets, subjects, report } = ports;
  const metrics = createMetrics();
  const clients = new BrandClients(wallets, metrics.observe);
  const players = new PlayerAuthenticator({
    clients,
    clock,
    revoked: (token) => bus.publish(subjects.revoked, encodeRevokedPlayerToken(token)),
  });

  async function answer(message: BusMessage): Promise<void> {
    const question = decodePlayerTokenQuestion(message.bytes);
    if (question === null) return;
    message.respond(encodePlayerAuthentication(await players.authenticate(question)));
  }

  const questions = bus.subscribe(
    subjects.authenticate,
    (message) => {
      answer(message).catch((error: unknown) => {
        report(error);
        message.respond(encodePlayerAuthentication({ kind: 'unknown' }));
      });
    },
    { queue },
  );
  return {
    unready: () => (bus.connected() ? null : 'nats_disconnected'),
    metrics: () => metrics.registry.metrics(),
    async stop() {
      questions.stop();
      await clients.close();
    },
  };
}
