import { afterAll, describe } from 'vitest';
import { stopPages } from './on-one-system/pages.ts';

/** Tests of pages in one Chromium on one system, behind one another. The page of the demo kills a process, so it comes late. */
afterAll(stopPages, 120_000);

describe('a page that goes away', async () => {
  (await import('./on-one-system/away.ts')).goesAway();
});
describe('the page that verifies', async () => {
  await import('./on-one-system/verify.ts');
});
describe('the reference', async () => {
  await import('./on-one-system/reference.ts');
});
describe('the ticker', async () => {
  await import('./on-one-system/ticker.ts');
});
describe('the page of the demo', async () => {
  await import('./on-one-system/page.ts');
});
describe('pages with the client', async () => {
  await import('./on-one-system/client.ts');
});
describe('pages of other origins', async () => {
  await import('./on-one-system/other-origin.ts');
});
describe('log-ins at a company', async () => {
  await import('./on-one-system/company.ts');
});
describe('the page that was away', async () => {
  (await import('./on-one-system/away.ts')).comesBack();
});
