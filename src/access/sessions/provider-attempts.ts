import * as z from 'zod';
import type { Clock, Random, Table } from '../../ports.ts';
import type { Sealer } from '../keys/seal.ts';

const shape = z.object({
  operator: z.string(),
  /** The settings of the provider that it began with. */
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  until: z.int(),
});

/** A log-in that has gone to an identity provider: what its return must match. */
export type ProviderAttempt = z.output<typeof shape>;

/** Attempts travel sealed with the browser, so that any gateway may end what another one began. */
export interface ProviderAttempts {
  begin(operator: string, provider: string): { readonly attempt: ProviderAttempt; readonly sealed: string };
  /** null: none of ours, of another operator or state, or too old. */
  open(sealed: string, operator: string, state: string): ProviderAttempt | null;
  /** False: it was ended before, at whatever gateway. @throws LogError */
  end(attempt: ProviderAttempt): Promise<boolean>;
}

/** How long a person may take at the provider; KV NONCES keeps what was ended for longer. */
export const attemptSeconds = 10 * 60;
const randomBytes = 32;
const label = 'provider-attempt';

/** Attempts under the key of the accounts; `nonces` is KV NONCES. */
export function createProviderAttempts(ports: {
  readonly sealer: Sealer;
  readonly nonces: Table;
  readonly clock: Clock;
  readonly random: Random;
}): ProviderAttempts {
  const { sealer, nonces, clock, random } = ports;
  const text = () => Buffer.from(random.bytes(randomBytes)).toString('base64url');
  return {
    begin(operator, provider) {
      const until = clock.nowMs() + attemptSeconds * 1_000;
      const attempt = { operator, provider, state: text(), nonce: text(), verifier: text(), until };
      return { attempt, sealed: sealer.seal(JSON.stringify(attempt), label) };
    },
    open(sealed, operator, state) {
      let opened: string;
      try {
        opened = sealer.open(sealed, label);
      } catch {
        return null;
      }
      // A newer gateway may have sealed it.
      const { data: attempt } = shape.safeParse(JSON.parse(opened));
      if (attempt?.operator !== operator || attempt.state !== state) return null;
      return attempt.until > clock.nowMs() ? attempt : null;
    },
    end: async ({ state }) => (await nonces.put(`provider.${state}`, new Uint8Array(0), 0)) !== null,
  };
}
