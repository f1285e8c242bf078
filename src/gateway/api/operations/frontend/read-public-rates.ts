import { publicRatesShape, publicRatesText } from '../../../../contracts/directory/currency.ts';
import { defineOperation } from '../../operation/operation.ts';

/** O3: the default rates, from the system's base currency. Empty before any are set. */
export const readPublicRatesOperation = defineOperation({
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
