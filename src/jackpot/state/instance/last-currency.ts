import type { Brand } from '../directory/brands.ts';
import { flagsAt } from '../players/player-segment.ts';
import type { Instance } from './instance.ts';

/**
 * Currencies that one instance numbers for the rows of its players; beyond them the currency of the jackpot replaces
 * the last.
 */
const maxCurrencies = 1000;

/** The currency's number in players' rows, from 1. */
export function currencyNumber(instance: Instance, currency: string): number {
  if (instance.currencies[0] === currency) return 1;
  const known = instance.currencies.indexOf(currency);
  if (known >= 0) return known + 1;
  if (instance.currencies.length >= maxCurrencies) return 1;
  instance.currencies.push(currency);
  return instance.currencies.length;
}

/** The currency of the player's last contribution to the instance, else the jackpot's. */
export function lastCurrency(instance: Instance, brand: Brand, player: string): string {
  const row = instance.players.find(brand.number, player);
  return row < 0 ? instance.configuration.currency : currencyOfRow(instance, row);
}

/** The same of a player's row. */
export function currencyOfRow(instance: Instance, row: number): string {
  const { players } = instance;
  const number = players.segmentOf(row).rows[players.at(row) + flagsAt]! >>> 16;
  return instance.currencies[number - 1] ?? instance.configuration.currency;
}
