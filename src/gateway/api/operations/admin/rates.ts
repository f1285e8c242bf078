import * as z from 'zod';
import { system } from '../../../../access/rights/authorize.ts';
import {
  brandRates,
  brandRatesShape,
  brandRatesText,
  defaultRates,
  publicRatesShape,
  publicRatesText,
  readPlainBrandRates,
  readPlainDefaultRates,
} from '../../../../contracts/directory/currency.ts';
import {
  type BrandEntry,
  isRemoved,
  type RateTableEntry,
} from '../../../../contracts/directory/directory.ts';
import { directoryKey } from '../../../../contracts/directory/directory-keys.ts';
import { brandField } from '../../../../contracts/fields/identifier-fields.ts';
import { operatorOf } from '../../../../contracts/fields/identifiers.ts';
import { cursorQuery } from '../../../../contracts/fields/lists.ts';
import { jumps, type Rates, withReference } from '../../../../directory/four-eyes/rate-jumps.ts';
import type { OperatorEntry } from '../../../../directory/owners.ts';
import { allOf, type Matches } from '../../../../directory/sorted-page.ts';
import { minorUnitExponent } from '../../../../lib/currencies.ts';
import { isTerminal } from '../../../../messages/records.ts';
import { PublicError } from '../../../base/errors.ts';
import { fourEyesRule } from '../../approvals/four-eyes.ts';
import { propose } from '../../approvals/propose.ts';
import { lanesHave, replaceEntry, updateEntry } from '../../directory/write-entries.ts';
import { defineChange, defineRead, type GatewayContext } from '../../operation/operation.ts';
import { listed, listHeaders, listScope } from '../lists.ts';
import { requireAllowed, requireOwner, requireSameId } from './shared/owner-access.ts';

/** A1: each brand with the rates that price it (its own, else the default ones), in pages. */
export const listBrandRatesOperation = defineRead('read', {
  id: 'A1',
  name: 'List brand currency configurations',
  route: 'GET /config/currencies',
  input: { query: cursorQuery(['brand_id', 'base_currency'], {}) },
  output: z.array(brandRatesShape),
  answerHeaders: listHeaders,
  async handle({ principal, query }, { directory }) {
    const { brands, rates } = directory.entries;
    const { group, matches } = listScope(principal, undefined, (brand: BrandEntry) => brand.path);
    const hasRates: Matches<BrandEntry> = rates.has('') ? null : ({ path }) => rates.has(path);
    const scope = { group, matches: allOf(matches, hasRates) };
    const { page, headers } = await listed(brands, 'brand_id', query, scope);
    const texts = page.flatMap(({ path }) => {
      const table = directory.rates(path);
      return table === undefined ? [] : [brandRatesText(path, table)];
    });
    return { status: 200, headers, text: `[${texts.join(',')}]` };
  },
});

/**
 * The default rates, for administrators of the whole system: units of each currency for one of the base
 * currency. Answers when every lane prices with them. A jump that prices a brand under the four-eyes rule
 * needs approval. docs/rules/http.md "Rates"
 */
export const setDefaultRatesOperation = defineChange('move_money', {
  id: 'rates.default',
  name: 'Set the default currency rates',
  route: 'PUT /config/currencies',
  input: { body: defaultRates, plainBody: readPlainDefaultRates },
  output: publicRatesShape,
  limits: { rateTable: true },
  fourEyes: true,
  async handle(request, context) {
    const { principal, body, approved } = request;
    requireAllowed(principal, 'move_money', system, 'forbidden');
    const table = rateTable(body.base_currency, body, context.clock.nowMs());
    requireKeptExponents(context, table.exponents);
    const rule = { isRuled: pricesRuledBrand(context), isApproved: approved !== null };
    const version = await storeRates(context, '', table, rule);
    if (version === null) return propose(context, request, system);
    await lanesHave(context, version);
    return { status: 200, text: publicRatesText({ kind: 'rates', brand: '', version, ...table }) };
  },
});

/** @throws PublicError rate_invalid where money in play would get another minor unit, or none */
function requireKeptExponents({ directory }: GatewayContext, exponents: RateTableEntry['exponents']): void {
  const before = directory.entries.rates.get('')?.exponents ?? {};
  const changed = new Set(Object.keys(before).filter((each) => exponents[each] !== before[each]));
  if (changed.size === 0) return;
  for (const { configuration, status } of directory.lanes.instances.values()) {
    if (isTerminal(status) || !changed.has(configuration.currency)) continue;
    throw new PublicError('rate_invalid', 'The currency of an instance keeps its exponent.');
  }
}

/** Whether a brand without rates of its own belongs to an operator whose four-eyes rule is on. */
function pricesRuledBrand({ directory }: GatewayContext): boolean {
  const { brands, operators, rates } = directory.entries;
  for (const { path } of brands.values())
    if (!rates.has(path) && isRuled(operators.get(operatorOf(path)))) return true;
  return false;
}

/** Whether the operator has the rule, as one has whose entry cannot be read. */
function isRuled(operator: OperatorEntry | undefined): boolean {
  return operator === undefined || operator.four_eyes?.enabled === true;
}

/**
 * A brand's own rates in place of the whole default table, until they are set without multipliers. Answers
 * when every lane prices with them. A jump needs approval.
 */
export const setBrandRatesOperation = defineChange('move_money', {
  id: 'rates.brand',
  name: 'Set the currency rates of a brand',
  route: 'PUT /config/currencies/{brand_id}',
  input: {
    params: z.strictObject({ brand_id: brandField }),
    body: brandRates,
    plainBody: readPlainBrandRates,
  },
  output: brandRatesShape,
  refusals: [404],
  limits: { rateTable: true },
  fourEyes: true,
  async handle(request, context) {
    const { principal, params, body, approved } = request;
    const brand = params.brand_id;
    requireSameId(body.brand_id, brand);
    if (!brand.includes(':')) throw new PublicError('brand_not_found');
    requireOwner(context, principal, 'move_money', brand);
    const defaultTable = context.directory.entries.rates.get('');
    if (defaultTable === undefined)
      throw new PublicError(
        'rate_invalid',
        'Set the default currency rates first: they name the base currency.',
      );
    const nowMs = context.clock.nowMs();
    const base = defaultTable.base_currency;
    const isRemoval = isRemoved(body);
    const table = isRemoval ? noRates(base, nowMs) : rateTable(base, body, nowMs);
    const { enabled: isRuled } = await fourEyesRule(context, brand);
    const version = await storeRates(context, brand, table, { isRuled, isApproved: approved !== null });
    if (version === null) return propose(context, request, brand);
    await lanesHave(context, version);
    const inForce = isRemoval ? defaultTable : { kind: 'rates' as const, brand, version, ...table };
    return { status: 200, text: brandRatesText(brand, inForce) };
  },
});

/**
 * Stores the rates of a brand (empty: the default ones) and gives their version; null where they jump.
 * Present rates are read only where a rule holds: a table may be large.
 */
async function storeRates(
  context: GatewayContext,
  brand: string,
  table: Rates,
  { isRuled, isApproved }: { readonly isRuled: boolean; readonly isApproved: boolean },
): Promise<number | null> {
  const key = directoryKey.rates(brand);
  if (!isRuled) return replaceEntry(context, 'rates', key, table);
  const nowMs = context.clock.nowMs();
  const defaults = context.directory.entries.rates.get('');
  let isJump = false;
  const version = await updateEntry(context, 'rates', key, (current) => {
    const inForce =
      current === null ? (context.directory.rates(brand) ?? null) : inForceOf(current, defaults);
    const next = isRemoved(table) ? (defaults ?? table) : table;
    isJump = !isApproved && jumps(inForce, next, nowMs);
    if (isJump) return null;
    const { reference } = withReference(inForce, next, nowMs, isApproved);
    return { ...table, ...(reference !== undefined && { reference }) };
  });
  return isJump ? null : version;
}

/** Where a brand's own table was removed, the default one is measured by what was remembered of the day. */
function inForceOf(current: Rates, defaults: Rates | undefined): Rates {
  if (!isRemoved(current) || defaults === undefined) return current;
  const { base_currency, multipliers, exponents, updated } = defaults;
  return {
    base_currency,
    multipliers,
    exponents,
    updated,
    reference: current.reference ?? defaults.reference,
  };
}

interface RateInput {
  readonly multipliers: Readonly<Record<string, string>>;
  readonly exponents?: Readonly<Record<string, number>> | null | undefined;
}

/** What is stored of a brand whose own table is removed. */
function noRates(base: string, nowMs: number) {
  return { base_currency: base, multipliers: {}, exponents: {}, updated: nowMs };
}

/**
 * The members of a stored rate table (docs/rules/money-and-currencies.md "Currencies"): the base has
 * multiplier 1, each currency outside ISO 4217 its exponent. @throws PublicError rate_invalid
 */
function rateTable(base: string, input: RateInput, nowMs: number) {
  const stated = input.multipliers[base];
  if (stated !== undefined && stated !== '1')
    throw new PublicError('rate_invalid', 'The multiplier of the base currency must be 1.');
  const multipliers = { ...input.multipliers, [base]: '1' };
  const exponents: Record<string, number> = {};
  for (const currency of Object.keys(multipliers)) {
    const standard = minorUnitExponent(currency);
    const exponent = input.exponents?.[currency] ?? standard;
    if (standard !== null && exponent !== standard)
      throw new PublicError('rate_invalid', 'A currency of ISO 4217 has the exponent that ISO 4217 says.');
    if (standard !== null) continue;
    if (exponent === null)
      throw new PublicError('rate_invalid', 'A currency outside ISO 4217 needs its exponent.');
    exponents[currency] = exponent;
  }
  return { base_currency: base, multipliers, exponents, updated: nowMs };
}
