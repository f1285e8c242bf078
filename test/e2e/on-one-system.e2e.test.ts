import { afterAll, describe } from 'vitest';
import { stopOneSystem } from '../support/one-system.ts';

/**
 * Tests that need a whole system as anybody starts it, behind one another on the same one. What they make has names of its own, and
 * those that kill processes come last.
 */
afterAll(stopOneSystem, 120_000);

describe('all surfaces', async () => {
  await import('./on-one-system/surfaces.ts');
});
describe('long operations', async () => {
  await import('./on-one-system/operations.ts');
});
describe("the operator's surface", async () => {
  await import('./on-one-system/operator.ts');
});
describe('contribution streams', async () => {
  await import('./on-one-system/streams.ts');
});
describe('sending', async () => {
  await import('./on-one-system/send.ts');
});
describe('the administration', async () => {
  await import('./on-one-system/administration.ts');
});
describe('commands', async () => {
  await import('./on-one-system/commands.ts');
});
describe('callbacks', async () => {
  await import('./on-one-system/callbacks.ts');
});
describe('webhooks', async () => {
  await import('./on-one-system/webhooks.ts');
});
describe('log-ins at an identity provider', async () => {
  await import('./on-one-system/provider-logins.ts');
});
describe('a strict wallet', async () => {
  await import('./on-one-system/strict-wallet.ts');
});
describe('raffles, switches and ends', async () => {
  await import('./on-one-system/engine.ts');
});
describe('traces', async () => {
  await import('./on-one-system/traces.ts');
});
describe('secrets', async () => {
  await import('./on-one-system/secrets.ts');
});
describe('reports', async () => {
  await import('./on-one-system/reports.ts');
});
describe('simulations', async () => {
  await import('./on-one-system/simulations.ts');
});
describe('the books', async () => {
  await import('./on-one-system/books.ts');
});
describe('ends of processes', async () => {
  await import('./on-one-system/crash.ts');
});
