import { parseAmount } from '../lib/money.ts';
import type { InstanceConfigurationDocument } from '../messages/instance-commands.ts';

/** What is played. */
export interface Template {
  readonly name: string;
  readonly description: string;
  readonly configuration: InstanceConfigurationDocument;
  readonly warnings: readonly string[];
}

/** How it is played. Money in atoms, time in milliseconds. */
export interface SimulationChoices {
  readonly contributions: number;
  /** Any text; the same text gives the same simulation. */
  readonly seed: string;
  readonly stakes: readonly Stake[];
  readonly players: number;
  readonly perSecond: number;
  /** null: the jackpot's own. */
  readonly currency: string | null;
  /** Units of `currency` for one unit of the jackpot's currency; null where they are the same. */
  readonly rate: string | null;
  /** Decimals of the jackpot's currency, where ISO 4217 does not say them; null: it does. */
  readonly exponent: number | null;
  readonly country: string | null;
  readonly startMs: number;
}

/** A base wager, and how often it is played compared with the others. */
export interface Stake {
  readonly atoms: bigint;
  readonly weight: number;
}

export const defaultStakes = '0.2:15,0.5:20,1:35,2:18,5:8,10:3,50:1';
export const defaultStart = '2030-01-01T00:00:00Z';

const maxStakes = 100;

/** `0.2:15,1:35`: wager and weight; a text says what is wrong. */
export function parseStakes(text: string): readonly Stake[] | string {
  const stakes: Stake[] = [];
  for (const item of text.split(',')) {
    const [wager = '', weight = '1'] = item.trim().split(':');
    const amount = parseAmount(wager);
    if (!amount.ok || amount.atoms < 0n) return `${wager} is not a wager`;
    if (!/^\d{1,6}(?:\.\d{1,6})?$/.test(weight) || Number(weight) === 0) return `${weight} is not a weight`;
    stakes.push({ atoms: amount.atoms, weight: Number(weight) });
  }
  return stakes.length > maxStakes ? `at most ${maxStakes} stakes` : stakes;
}
