import { afterAll, describe } from 'vitest';
import { stopOneSystem } from '../support/one-system.ts';

/** Tests of the SDK that need a whole system as anybody starts it, behind one another on the same one. */
afterAll(stopOneSystem, 120_000);

describe('docs/integrate.md', async () => {
  await import('./on-one-system/integrate.ts');
});
describe('examples/sdk', async () => {
  await import('./on-one-system/examples.ts');
});
describe('lost answers', async () => {
  await import('./on-one-system/lost-answers.ts');
});
