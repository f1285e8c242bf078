import { nkeys } from '@nats-io/nats-core';

/** Creates the nkey of a user: `publicKey` for nats-server, `seed` for the user's process. */
export function createUserKey(): { readonly publicKey: string; readonly seed: string } {
  const pair = nkeys.createUser();
  const seed = Buffer.from(pair.getSeed()).toString('latin1');
  return { publicKey: pair.getPublicKey(), seed };
}

/** The public key of a seed, white space around it ignored. @throws Error if it is not a seed */
export function publicKeyOf(seed: string): string {
  return nkeys.fromSeed(Buffer.from(seed.trim(), 'latin1')).getPublicKey();
}
