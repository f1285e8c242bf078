import * as z from 'zod';
import { configuration } from '../configuration/configuration.ts';
import { configuredAmount } from '../fields/configuration-fields.ts';
import { ownerField, ownIdField } from '../fields/identifier-fields.ts';

/** Configurations played before they are live (docs/rules/simulations.md). */

/** `contribution_amount`: the wager of each, in the jackpot's currency; absent: a usual mix. */
export const newSimulation = z.strictObject({
  owner_id: ownerField,
  template_id: ownIdField.nullish(),
  configuration: configuration.nullish(),
  contributions: z.int().min(1).max(1_000_000),
  players: z.int().min(1).max(100_000).nullish(),
  contribution_amount: configuredAmount.nullish(),
  contributions_per_second: z.number().min(0.001).max(1_000).nullish(),
  seed: z.string().min(1).max(128).nullish(),
});

/** The process that plays it, and its number there. */
const simulationId = /^[0-9a-f]{16}-[0-9a-f]{32}$/;
export const simulationIdField = z.string().regex(simulationId, 'invalid_identifier');
/** The process that an id names. */
export const simulatingProcess = (id: string): string => id.slice(0, 16);

/** Parts of what is contributed, or wagered; null: nothing was, or the configuration does not say it. */
const returns = z.strictObject({ configured: z.string().nullable(), simulated: z.string().nullable() });

/** Amounts are in `currency`. */
const simulationReport = z.strictObject({
  currency: z.string(),
  seed: z.string(),
  /** Those that were accepted, and the refused ones by their codes. */
  contributions: z.int(),
  refused: z.record(z.string(), z.int()),
  players: z.int(),
  contributions_per_second: z.number(),
  /** How long it took in the time that was played. */
  seconds: z.number(),
  /** Of the jackpot at the end: it may be over before all contributions are made. */
  status: z.string(),
  wagered: z.string(),
  contributed: z.string(),
  paid_to_players: z.string(),
  in_pots: z.string(),
  return_to_players: returns,
  /** What was paid to players, as a part of all wagers. */
  return_of_wagers: z.string().nullable(),
  operator: z.strictObject({
    /** All that the operator put in, less what came back and the fees. */
    cost: z.string(),
    contributions: z.string(),
    initial_seeds: z.string(),
    /** Seeds that the operator put in after wins, and what contributions gave back of them. */
    fronted: z.string(),
    repaid: z.string(),
    deficit_at_end: z.string(),
    deepest_deficit: z.string(),
    fees: z.string(),
    diverted: z.string(),
  }),
  house: z.strictObject({ at_end: z.string() }),
  pots: z.array(
    z.strictObject({
      pot_id: z.string(),
      contributed: z.string(),
      paid: z.string(),
      return_to_players: returns,
      wins: z.int(),
      /** What one win paid at most, shares of others included; null: there was none. */
      largest_win: z.string().nullable(),
      /** Exact, from the odds; null: it depends on when the contribution comes, or it is a raffle. */
      first_contribution_win_chance: z.string().nullable(),
      reseeds: z.int(),
      /** Those to which the operator had to put something. */
      short_reseeds: z.int(),
      fronted: z.string(),
      at_end: z.string(),
    }),
  ),
});

export const simulationShape = z.strictObject({
  id: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  /** From 0 to 1. */
  progress: z.number(),
  /** Why it failed. */
  message: z.string().nullable(),
  report: simulationReport.nullable(),
});
export type SimulationView = z.output<typeof simulationShape>;

const plan = z.strictObject({
  configuration: z.record(z.string(), z.unknown()),
  /** Decimals of its currency, where ISO 4217 does not say them. */
  exponent: z.int().nullable(),
  contributions: z.int(),
  players: z.int(),
  perSecond: z.number(),
  /** null: the usual mix. */
  wager: z.string().nullable(),
  seed: z.string(),
});
export type SimulationPlan = z.output<typeof plan>;

/** What a gateway asks the role that plays them. `account`: who asks. */
const question = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('begin'), account: z.string(), owner: z.string(), plan }),
  z.strictObject({ kind: z.literal('read'), account: z.string(), id: z.string() }),
  z.strictObject({ kind: z.literal('end'), account: z.string(), id: z.string() }),
]);
export type SimulationQuestion = z.output<typeof question>;

const answer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('simulation'), owner: z.string(), simulation: simulationShape }),
  /** The account has no such simulation. */
  z.strictObject({ kind: z.literal('missing') }),
  /** Too many wait. */
  z.strictObject({ kind: z.literal('full') }),
]);
export type SimulationAnswer = z.output<typeof answer>;

/** As it travels on the bus. */
export function encodeSimulationMessage(value: SimulationQuestion | SimulationAnswer): Uint8Array {
  return Buffer.from(JSON.stringify(value), 'utf8');
}

/** null: the message is no question. */
export function decodeSimulationQuestion(bytes: Uint8Array): SimulationQuestion | null {
  return parsed(question, bytes);
}

/** null: the message is no answer. */
export function decodeSimulationAnswer(bytes: Uint8Array): SimulationAnswer | null {
  return parsed(answer, bytes);
}

function parsed<T>(schema: z.ZodType<T>, bytes: Uint8Array): T | null {
  try {
    const result = schema.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8')));
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}
