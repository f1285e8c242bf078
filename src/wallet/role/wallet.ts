import type { BrandWallets } from '../../access/keys/brand-wallets.ts';
import {
  decodeWalletAddressQuestion,
  encodeWalletAddressStatus,
} from '../../contracts/directory/wallet-settings.ts';
import {
  decodePlayerTokenRequest,
  encodePlayerAuthentication,
  encodeRevokedPlayerToken,
} from '../../contracts/payments/player-authentication.ts';
import type { AddressCheck } from '../../outbound/checked-addresses.ts';
import type { Bus, BusMessage, Clock, Log, Random, Table } from '../../ports.ts';
import { BrandClients } from '../client/brand-clients.ts';
import { type Execution, startExecution } from '../execution/execution.ts';
import { walletAddressStatus } from './address-status.ts';
import { alarmsOf, type WalletAlarm } from './alarms.ts';
import { createWalletMetrics } from './metrics.ts';
import { MoneyTries } from './money-tries.ts';
import { PlayerAuthenticator } from './player-authenticator.ts';

/** What executing debits and credits needs beyond authenticating players. */
interface WalletExecutionPorts {
  readonly log: Log;
  readonly random: Random;
  /** KV LEASES. */
  readonly leases: Table;
  readonly lanes: number;
  /** The same after a restart. */
  readonly holder: string;
}

interface WalletPorts {
  readonly bus: Bus;
  readonly clock: Clock;
  /** Absent: players are authenticated, and no money moves. */
  readonly execution?: WalletExecutionPorts;
  readonly wallets: Pick<BrandWallets, 'find'>;
  readonly subjects: { readonly authenticate: string; readonly revoked: string; readonly address: string };
  /** A bug of ours, or settings that this host cannot open. */
  readonly report: (error: unknown) => void;
  /** How names of wallets are resolved and which addresses may be called. */
  readonly addresses: AddressCheck;
  /** Alarms for operators. */
  readonly alarm: (code: WalletAlarm, message: string, error?: unknown) => void;
}

export interface WalletRole {
  /** null when questions are answered; otherwise one word why not. */
  unready(): string | null;
  metrics(): Promise<string>;
  stop(): Promise<void>;
}

/** Wallet roles share the questions between them. */
const queue = 'wallet';

/** Calls brands' wallets: answers `wallet.authenticate`, executes debits and credits. */
export function startWallet(ports: WalletPorts): WalletRole {
  const { bus, clock, wallets, subjects, report, addresses, alarm } = ports;
  const alarms = alarmsOf(clock, alarm);
  let execution: Execution | null = null;
  const metrics = createWalletMetrics(() => execution?.executors() ?? [], clock);
  const tries =
    ports.execution === undefined
      ? null
      : new MoneyTries({ bus, clock, random: ports.execution.random, dropped: metrics.triesDropped });
  const clients = new BrandClients(wallets, {
    ...{ clock, addresses, observe: metrics.observe },
    tried: (tried) => tries?.add(tried),
    alarm: (message, error) => alarm('wallet_address_not_allowed', message, error),
  });
  const players = new PlayerAuthenticator({
    clients,
    clock,
    revoked: (token) => bus.publish(subjects.revoked, encodeRevokedPlayerToken(token)),
  });

  async function answer(message: BusMessage): Promise<void> {
    const question = decodePlayerTokenRequest(message.bytes);
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
  const addressQuestions = bus.subscribe(
    subjects.address,
    (message) => {
      const baseUrl = decodeWalletAddressQuestion(message.bytes);
      if (baseUrl === null) return;
      walletAddressStatus(baseUrl, addresses).then(
        (status) => message.respond(encodeWalletAddressStatus(status)),
        (error: unknown) => report(error),
      );
    },
    { queue },
  );
  if (ports.execution !== undefined) {
    execution = startExecution({
      ...ports.execution,
      ...{ bus, clock, clients, report },
      monitor: { ...metrics.execution, alarm: alarms.ofBrand },
      trouble: alarms.ofLane,
    });
  }
  return {
    unready: () => (bus.connected() ? null : 'nats_disconnected'),
    metrics: () => metrics.registry.metrics(),
    async stop() {
      questions.stop();
      addressQuestions.stop();
      await execution?.stop();
      await clients.close();
      tries?.stop();
    },
  };
}
