import * as z from 'zod';
import { brandRatesShape, brandRatesText } from '../../../../../contracts/directory/currency.ts';
import type { BrandEntry } from '../../../../../contracts/directory/directory.ts';
import { listQuery } from '../../../../../contracts/fields/lists.ts';
import { allOf, type Matches, sortedPage } from '../../../../../directory/sorted-page.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { listScope } from '../../list-scope.ts';

/** A1: each brand with the rates that price it (its own, else the default ones), in pages. */
export const listBrandRatesOperation = defineOperation({
  id: 'A1',
  name: 'List brand currency configurations',
  method: 'GET',
  path: '/config/currencies',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: { query: listQuery(['brand_id', 'base_currency'], {}) },
  output: z.array(brandRatesShape),
  async handle({ principal, query }, { directory }) {
    const { brands, rates } = directory.entries;
    const { group, matches } = listScope(principal, undefined, (brand: BrandEntry) => brand.path);
    const hasRates: Matches<BrandEntry> = rates.has('') ? null : ({ path }) => rates.has(path);
    const page = await sortedPage(brands, 'brand_id', query, { group, matches: allOf(matches, hasRates) });
    const texts = page.flatMap(({ path }) => {
      const table = directory.rates(path);
      return table === undefined ? [] : [brandRatesText(path, table)];
    });
    return { status: 200, text: `[${texts.join(',')}]` };
  },
});
