import { system } from '../../../../access/authorize.ts';
import { defaultRates, publicRatesShape, publicRatesText } from '../../../../contracts/currency.ts';
import { directoryKey } from '../../../../contracts/directory-keys.ts';
import { operatorOf } from '../../../../contracts/identifiers.ts';
import { propose } from '../../../approvals/propose.ts';
import { lanesHave, updateEntry } from '../../../directory/write-entries.ts';
import { defineOperation, type GatewayContext } from '../../../operation.ts';
import { requireAllowed } from '../shared/owner-access.ts';
import { jumps, withReference } from './rate-jumps.ts';
import { rateTable } from './rate-table.ts';

/**
 * The default rates: units of each currency for one of the base currency. Answers when every lane prices with them.
 * Administrators of the whole system only. A jump needs a second one if it prices a brand under the four-eyes rule.
 * docs/rules/http.md "Rates"
 */
export const setDefaultRates = defineOperation({
  id: 'rates.default',
  name: 'Set the default currency rates',
  method: 'PUT',
  path: '/config/currencies',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'move_money' },
  input: { body: defaultRates },
  output: publicRatesShape,
  fourEyes: true,
  async handle(request, context) {
    const { principal, body, approved } = request;
    requireAllowed(principal, 'move_money', system, 'forbidden');
    const nowMs = context.clock.nowMs();
    const table = rateTable(body.base_currency, body, nowMs);
    const isFree = approved !== null || !pricesRuledBrand(context);
    let isJump = false;
    const version = await updateEntry(context, 'rates', directoryKey.rates(''), (current) => {
      isJump = !isFree && jumps(current, table, nowMs);
      return isJump ? null : withReference(current, table, nowMs, isFree);
    });
    if (isJump) return propose(context, request, system);
    await lanesHave(context, version);
    return { status: 200, text: publicRatesText({ kind: 'rates', brand: '', version, ...table }) };
  },
});

/** Whether a brand without rates of its own belongs to an operator whose four-eyes rule is on. */
function pricesRuledBrand({ directory }: Pick<GatewayContext, 'directory'>): boolean {
  const { brands, operators, rates } = directory.entries;
  for (const { path } of brands.values())
    if (!rates.has(path) && operators.get(operatorOf(path))?.four_eyes?.enabled === true) return true;
  return false;
}
