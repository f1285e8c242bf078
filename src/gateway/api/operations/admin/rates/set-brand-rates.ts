import * as z from 'zod';
import {
  brandRates,
  brandRatesShape,
  brandRatesText,
  readPlainBrandRates,
} from '../../../../../contracts/directory/currency.ts';
import { isRemoved } from '../../../../../contracts/directory/directory.ts';
import { brandField } from '../../../../../contracts/fields/identifier-fields.ts';
import { PublicError } from '../../../../base/errors.ts';
import { fourEyesRule } from '../../../approvals/four-eyes.ts';
import { propose } from '../../../approvals/propose.ts';
import { lanesHave } from '../../../directory/write-entries.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { requireOwner, requireSameId } from '../shared/owner-access.ts';
import { noRates, rateTable } from './rate-table.ts';
import { storeRates } from './store-rates.ts';

/**
 * A brand's own rates, which replace the default table as a whole, until they are set without multipliers. The base currency is
 * the system's. Answers with the rates in force when every lane prices with them. Under the four-eyes rule a jump needs a second
 * administrator.
 */
export const setBrandRatesOperation = defineOperation({
  id: 'rates.brand',
  name: 'Set the currency rates of a brand',
  method: 'PUT',
  path: '/config/currencies/{brand_id}',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'move_money' },
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
