import * as z from 'zod';
import { brandRatesShape, brandRatesText } from '../../../../contracts/currency.ts';
import { listQuery } from '../../../../contracts/lists.ts';
import type { Brand } from '../../../../directory/owners.ts';
import { allOf, type Matches, sortedPage } from '../../../directory/sorted-page.ts';
import { defineOperation } from '../../../operation.ts';
import { listScope } from '../../list-scope.ts';

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
    const { brands, rates } = directory.entries;
    const { group, matches } = listScope(principal, undefined, (brand: Brand) => brand.path);
    const hasRates: Matches<Brand> = rates.has('') ? null : ({ path }) => rates.has(path);
    const page = await sortedPage(brands, 'brand_id', query, { group, matches: allOf(matches, hasRates) });
    const texts = page.flatMap(({ path }) => {
      const table = directory.rates(path);
      return table === undefined ? [] : [brandRatesText(path, table)];
    });
    return { status: 200, text: `[${texts.join(',')}]` };
  },
});
