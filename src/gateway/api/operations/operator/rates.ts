import * as z from 'zod';
import {
  brandRatesShape,
  brandRatesText,
  publicRatesShape,
  publicRatesText,
} from '../../../../contracts/directory/currency.ts';
import { brandField } from '../../../../contracts/fields/identifier-fields.ts';
import { PublicError } from '../../../base/errors.ts';
import { scopedBrand } from '../../contribution/brand-scope.ts';
import { defineOperation } from '../../operation/operation.ts';

/** O2: the rates that price a brand: its own table, else the default one. `rate_invalid` without any. */
export const readBrandRatesOperation = defineOperation({
  id: 'O2',
  name: 'Brand currency rates',
  route: 'GET /v1/currencies/{brand_id}',
  surface: 'operator',
  authentication: { kind: 'service' },
  input: { params: z.strictObject({ brand_id: brandField }) },
  output: brandRatesShape,
  refusals: [403, 404, 422],
  async handle({ principal, params }, { directory }) {
    const brand = scopedBrand(directory, principal, params.brand_id);
    const table = directory.rates(brand.path);
    if (table === undefined) throw new PublicError('rate_invalid', 'No currency rates are set.');
    return { status: 200, text: brandRatesText(brand.path, table) };
  },
});

/** O3: the default rates, from the system's base currency. Empty before any are set. */
export const readPublicRatesOperation = defineOperation({
  id: 'O3',
  name: 'Public currency rates',
  route: 'GET /v1/currencies',
  surface: 'frontend',
  authentication: { kind: 'none' },
  input: {},
  output: publicRatesShape,
  async handle(_request, { directory }) {
    return { status: 200, text: publicRatesText(directory.rates('')) };
  },
});
