import { describe } from 'vitest';
import { feedEngine } from '../feed-world.ts';

/** Every test of the feeds once more, on the other engine. */
feedEngine.name = 'ws';
describe('the player feed', async () => {
  await import('../feeds/player-feed.test.ts');
});
describe('the service feed', async () => {
  await import('../feeds/service-feed.test.ts');
});
describe('the status feed', async () => {
  await import('../feeds/status-feed.test.ts');
});
describe('closes', async () => {
  await import('../server/closes.test.ts');
});
describe('slow sockets', async () => {
  await import('../server/slow-sockets.test.ts');
});
