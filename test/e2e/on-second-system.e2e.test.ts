import { afterAll, describe } from 'vitest';
import { keepBooksInPostgres, stopOneSystem } from '../support/one-system.ts';

/**
 * As on-one-system, on a second system beside it, whose books are in PostgreSQL. Players come first, as they contribute for the first
 * time. The end looks at what their tokens have left behind, and stops the system.
 */
keepBooksInPostgres();
afterAll(stopOneSystem, 120_000);

describe('players of a brand with a wallet', async () => {
  await import('./on-second-system/players.ts');
});
describe('docs/integrate.md', async () => {
  await import('../sdk/on-one-system/integrate.ts');
});
describe('examples/sdk', async () => {
  await import('../sdk/on-one-system/examples.ts');
});
describe('lost answers', async () => {
  await import('../sdk/on-one-system/lost-answers.ts');
});
describe('approvals', async () => {
  await import('./on-second-system/approvals.ts');
});
describe('debits', async () => {
  await import('./on-second-system/debits.ts');
});
describe('reports', async () => {
  await import('./on-one-system/reports.ts');
});
describe('the books', async () => {
  await import('./on-one-system/books.ts');
});
describe('tokens of players', async () => {
  await import('./on-second-system/player-tokens.ts');
});
