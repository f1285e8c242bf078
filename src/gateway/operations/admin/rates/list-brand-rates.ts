import * as z from 'zod';
import { brandRatesShape, brandRatesText } from '../../../../contracts/currency.ts';
import { listQuery, pageOf } from '../../../../contracts/lists.ts';
import { defineOperation } from '../../../operation.ts';
import { mayRead } from '../shared/owner-access.ts';

/** A1: each brand with the rates that price it (its own, else the default ones), in pages. */
export const listBrandRates = defineOperation({
  id: 'A1',
  name: 'List brand currency configurations',
  method: 'GET',
  path: '/config/currencies',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: { query: listQuery(['brand_id', 'base_currency'], {}) },
  output: z.array(brandRatesShape),
  async handle({ principal, query }, { directory }) {
    const tables = [...directory.entries.brands.values()]
      .filter((brand) => mayRead(principal, brand.path))
      .flatMap((brand) => {
        const table = directory.rates(brand.path);
        return table === undefined ? [] : [{ brand: brand.path, table }];
      });
    const page = pageOf(tables, query, (item) => item.brand, {
      brand_id: (item) => item.brand,
      base_currency: (item) => item.table.base_currency,
    });
    return {
      status: 200,
      text: `[${page.map(({ brand, table }) => brandRatesText(brand, table)).join(',')}]`,
    };
  },
});
