import { createCipheriv, createDecipheriv } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  maxTicketLength,
  type RedeemQuestion,
  sealedTicket,
  type TicketAnswer,
  type TicketContent,
  ticketLifetimeSeconds,
} from '../../contracts/feeds/tickets.ts';
import { type Clock, LogError, type Random, type Table } from '../../ports.ts';
import type { Sealer } from './seal.ts';

/** Issues and redeems tickets of feeds (docs/rules/feeds.md "Tickets"). */
export interface FeedTickets {
  /** null: its player's token is too long for an address. */
  issue(content: TicketContent): string | null;
  /** Notes the use; two gateways never both redeem one. */
  redeem(question: RedeemQuestion): Promise<TicketAnswer>;
}

const idBytes = 16;
const tagBytes = 16;
const purpose = 'potstream feed ticket';
/** Each ticket has a key of its own: nothing else is ever encrypted with it. */
const nonce = Buffer.alloc(12);
/** What a ticket unfolds to is bounded, whatever it says. */
const maxPlainBytes = 8 * 1_024;
const refused: TicketAnswer = { kind: 'refused' };

/** Seals tickets under keys derived from that of the accounts; `table` is KV TICKETS. */
export function createFeedTickets(ports: {
  readonly sealer: Sealer;
  readonly table: Table;
  readonly clock: Clock;
  readonly random: Random;
}): FeedTickets {
  const { sealer, table, clock, random } = ports;
  return {
    issue(content) {
      const id = Buffer.from(random.bytes(idBytes));
      const expires = clock.nowMs() + ticketLifetimeSeconds * 1_000;
      const plain = deflateRawSync(JSON.stringify({ content, expires }), { level: 9 });
      const cipher = createCipheriv('aes-256-gcm', sealer.derivedKey(purpose, id), nonce);
      const sealed = [cipher.update(plain), cipher.final(), cipher.getAuthTag()];
      const ticket = Buffer.concat([id, ...sealed]).toString('base64url');
      return ticket.length > maxTicketLength ? null : ticket;
    },
    async redeem({ ticket, attempt }) {
      const opened = open(ticket, sealer);
      if (opened === null || opened.expires <= clock.nowMs()) return refused;
      const used = Buffer.from(attempt, 'utf8');
      try {
        if ((await table.put(opened.id, used, 0)) === null) {
          const earlier = await table.get(opened.id);
          if (earlier === null || !used.equals(earlier.value)) return refused;
        }
      } catch (error) {
        if (!(error instanceof LogError)) throw error;
        return { kind: 'unknown' };
      }
      return { kind: 'redeemed', content: opened.content };
    },
  };
}

/** null: it is none of ours, or was changed. */
function open(
  ticket: string,
  sealer: Sealer,
): { readonly id: string; readonly content: TicketContent; readonly expires: number } | null {
  const bytes = Buffer.from(ticket, 'base64url');
  // One spelling alone: another one would be another key of the table.
  if (bytes.length <= idBytes + tagBytes || bytes.toString('base64url') !== ticket) return null;
  const id = bytes.subarray(0, idBytes);
  const decipher = createDecipheriv('aes-256-gcm', sealer.derivedKey(purpose, id), nonce);
  decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes));
  let plain: Buffer;
  try {
    plain = Buffer.concat([
      decipher.update(bytes.subarray(idBytes, bytes.length - tagBytes)),
      decipher.final(),
    ]);
  } catch {
    return null;
  }
  const text = inflateRawSync(plain, { maxOutputLength: maxPlainBytes }).toString('utf8');
  const parsed = sealedTicket.safeParse(JSON.parse(text));
  // One that a newer gateway has sealed may say more.
  return parsed.success ? { id: id.toString('base64url'), ...parsed.data } : null;
}
