import { system } from '../../../../../access/rights/authorize.ts';
import {
  defaultRates,
  publicRatesShape,
  publicRatesText,
  readPlainDefaultRates,
} from '../../../../../contracts/directory/currency.ts';
import type { RateTableEntry } from '../../../../../contracts/directory/directory.ts';
import { operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import type { OperatorEntry } from '../../../../../directory/owners.ts';
import { isTerminal } from '../../../../../messages/records.ts';
import { PublicError } from '../../../../base/errors.ts';
import { propose } from '../../../approvals/propose.ts';
import { lanesHave } from '../../../directory/write-entries.ts';
import { defineOperation, type GatewayContext } from '../../../operation/operation.ts';
import { requireAllowed } from '../shared/owner-access.ts';
import { rateTable } from './rate-table.ts';
import { storeRates } from './store-rates.ts';

/**
 * The default rates: units of each currency for one of the base currency. Answers when every lane prices with them.
 * Currencies of instances keep their minor units. Administrators of the whole system only. A jump needs a second one if
 * it prices a brand under the four-eyes rule.
 * docs/rules/http.md "Rates"
 */
export const setDefaultRatesOperation = defineOperation({
  id: 'rates.default',
  name: 'Set the default currency rates',
  method: 'PUT',
  path: '/config/currencies',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'move_money' },
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
function pricesRuledBrand({ directory }: Pick<GatewayContext, 'directory'>): boolean {
  const { brands, operators, rates } = directory.entries;
  for (const { path } of brands.values())
    if (!rates.has(path) && isRuled(operators.get(operatorOf(path)))) return true;
  return false;
}

/** An operator whose entry does not read is. */
function isRuled(operator: OperatorEntry | undefined): boolean {
  return operator === undefined || operator.four_eyes?.enabled === true;
}
