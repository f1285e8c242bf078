import type { ProviderClient } from '../../../src/gateway/providers/provider-client.ts';

/** Where browsers reach the gateway of a test: it listens elsewhere. */
export const publicTestUrl = 'https://jackpots.example';

/** For tests of what an operator sets, not of log-ins: each provider could be used, and vouches for nobody. */
export const anyProvider: ProviderClient = {
  fault: async () => null,
  loginAddress: async ({ issuer }) => `${issuer}/auth`,
  subject: async () => null,
};
