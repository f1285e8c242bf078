import { system } from '../../../../access/authorize.ts';
import { defaultRates, publicRatesShape, publicRatesText } from '../../../../contracts/currency.ts';
import { directoryKey } from '../../../../contracts/directory-keys.ts';
import { lanesHave, replaceEntry } from '../../../directory/write-entries.ts';
import { defineOperation } from '../../../operation.ts';
import { requireAllowed } from '../shared/owner-access.ts';
import { rateTable } from './rate-table.ts';

/**
 * The default rates: units of each currency for one of the base currency. Answers when every lane prices with them.
 * Administrators of the whole system only. docs/rules/http.md "Rates"
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
  async handle({ principal, body }, context) {
    requireAllowed(principal, 'move_money', system, 'forbidden');
    const table = rateTable(body.base_currency, body, context.clock.nowMs());
    const version = await replaceEntry(context, 'rates', directoryKey.rates(''), table);
    await lanesHave(context, version);
    return { status: 200, text: publicRatesText({ kind: 'rates', brand: '', version, ...table }) };
  },
});
