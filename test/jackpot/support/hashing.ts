import { createHashing } from '../../../src/actors/epochs/keys/hashing.ts';

/** The engine's cryptography as a role has it; seeds are "sealed" as they are. */
export const testHashing = createHashing({ unseal: (_keyId, sealed) => sealed });
