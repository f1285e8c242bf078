import * as z from 'zod';
import { brandField, foreignIdField, ownIdField } from '../fields/identifier-fields.ts';
import { secret } from '../fields/secrets.ts';

/** Tickets that open a feed in place of a token (docs/rules/feeds.md "Tickets"). */
export const ticketLifetimeSeconds = 30;
/** A ticket stands in an address, beside a path and the headers of a browser. */
export const maxTicketLength = 1_600;

const maxTicketInstances = 16;
const currency = z.string().min(1).max(16);
const instances = z.array(ownIdField).min(1).max(maxTicketInstances);

/** The body of `POST /v1/feed-tickets`. */
export const newTicket = z.strictObject({
  brand_id: brandField,
  /** A service's only. */
  player_id: foreignIdField.nullish(),
  currency,
  instance_ids: instances.nullish(),
});

export const issuedTicket = z.strictObject({
  ticket: secret(z.string()),
  expires_in: z.int(),
  path: z.string(),
});

/** What a ticket opens. */
const content = z.strictObject({
  /** Brand path. */
  brand: z.string(),
  currency: z.string(),
  /** null: all that the brand's players see. */
  instances: instances.nullable(),
  /** On whose word: of the wallet, which is asked again, or of a service. */
  holder: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('player'), player: z.string(), token: secret(z.string()) }),
    z.strictObject({
      kind: z.literal('service'),
      /** null: the socket has no player. */
      player: z.string().nullable(),
      username: z.string(),
      generation: secret(z.string()),
    }),
  ]),
});
export type TicketContent = z.output<typeof content>;

/** What is sealed in a ticket. */
export const sealedTicket = z.strictObject({ content, expires: z.int() });

/** `tickets.redeem` of core NATS: the fan-out asks a gateway. */
const question = z.strictObject({
  ticket: z.string().min(1).max(maxTicketLength),
  /** The same when it is asked again: a ticket that was used by this question counts once more. */
  attempt: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
});
export type RedeemQuestion = z.output<typeof question>;

const answer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('redeemed'), content }),
  /** None of ours, expired, or used before. */
  z.strictObject({ kind: z.literal('refused') }),
  /** Its use could not be noted. */
  z.strictObject({ kind: z.literal('unknown') }),
]);
export type TicketAnswer = z.output<typeof answer>;

/** The bytes of `tickets.redeem`. */
export function encodeTicketQuestion(asked: RedeemQuestion): Uint8Array {
  return Buffer.from(JSON.stringify(asked), 'utf8');
}

/** null: the message is none. */
export function decodeTicketQuestion(bytes: Uint8Array): RedeemQuestion | null {
  const parsed = question.safeParse(readJson(bytes));
  return parsed.success ? parsed.data : null;
}

/** The bytes of its answer. */
export function encodeTicketAnswer(answered: TicketAnswer): Uint8Array {
  return Buffer.from(JSON.stringify(answered), 'utf8');
}

/** What does not read is worth as much as silence. */
export function decodeTicketAnswer(bytes: Uint8Array): TicketAnswer {
  const parsed = answer.safeParse(readJson(bytes));
  return parsed.success ? parsed.data : { kind: 'unknown' };
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}
