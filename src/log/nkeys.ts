import { nkeys } from '@nats-io/nats-core';

/** A new key of a user at nats-server: the server's configuration names `publicKey`, the user's process has the seed. */
export function createUserKey(): { readonly publicKey: string; readonly seed: string } {
  const pair = nkeys.createUser();
  const seed = Buffer.from(pair.getSeed()).toString('latin1');
  return { publicKey: pair.getPublicKey(), seed };
}

/** Of a seed that stands in a file. @throws where it is none */
export function publicKeyOf(seed: string): string {
  return nkeys.fromSeed(Buffer.from(seed.trim(), 'latin1')).getPublicKey();
}
