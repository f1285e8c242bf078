// @ts-check
import { constants, setPriority } from 'node:os';
import { hashSync, verifySync } from '@node-rs/argon2';

// A thread of hashing-threads.ts. JavaScript, because Node starts it from the sources too, without a build.

// On Linux 0 is the calling thread. Elsewhere it is the process, which keeps its priority.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);

/**
 * Hashes or verifies a password. An error of Argon2 is a value: an exception would seem to end the thread.
 *
 * @param {import('./hashing-threads.ts').HashingTask} task
 * @returns {import('./hashing-threads.ts').HashingAnswer}
 */
export default function answer({ stored, password, parameters }) {
  try {
    return { value: stored === null ? hashSync(password, parameters) : verifySync(stored, password) };
  } catch (error) {
    return { fault: String(error) };
  }
}
