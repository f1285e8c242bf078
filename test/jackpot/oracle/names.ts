import { createHash } from 'node:crypto';
import type { Contribute } from '../../../src/messages/player-commands.ts';
import type { OracleInstance } from './instance.ts';

/** Ids that wallets see (docs/rules/settlements.md "Transaction ids"): UUID version 5 below the service's namespace. */
const namespace = Buffer.from('6f2a1a529c0e4d7b8a553f3a0f6d1c2e', 'hex');

export function nameId(name: string): string {
  const bytes = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! % 16) + 0x50;
  bytes[8] = (bytes[8]! % 64) + 0x80;
  return uuid(bytes);
}

export function uuid(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('hex');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
    '-',
  );
}

export function partId(contributionId: Uint8Array, instance: string, isLink: boolean): string {
  return isLink ? nameId(`${uuid(contributionId)}/${instance}`) : uuid(contributionId);
}

/** The source of transactions (docs/rules/wallets.md "Transactions"). */
export function sourceName({ gameCode, id }: OracleInstance, requested: string): string {
  return [gameCode, requested, id].find((each) => each !== '')!;
}

/** What a contribution names: its source before its game. */
export function requestedSource({ target, origin }: Contribute): string {
  return target.type === 'source' ? target.id : (origin?.gameCode ?? '');
}

export function creditName(
  kind: string,
  instance: string,
  pot: string,
  cycle: number,
  brand: string,
  player: string,
): string {
  const name = `${instance}/${pot}/${cycle}/${brand}:${player}`;
  return nameId(kind === 'community' ? `community/${name}` : name);
}
