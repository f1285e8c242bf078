import { publicRatesShape, publicRatesText } from '../../../contracts/currency.ts';
import { defineOperation } from '../../operation.ts';

export const readPublicRates = defineOperation({
  id: 'O3',
  name: 'Public currency rates',
  method: 'GET',
  path: '/v1/currencies',
  surface: 'frontend',
  authentication: { kind: 'none' },
  input: {},
  output: publicRatesShape,
  async handle(_request, { directory }) {
    return { status: 200, text: publicRatesText(directory.rates('')) };
  },
});
