import { NotRevealed } from '../../../src/verifier/document.ts';
import { verifyEpoch } from '../../../src/verifier/verify.ts';
import { browserHashing } from './hashing.ts';
import type { Answer, Request } from './messages.ts';

/** Verifies beside the page, so that the page stays alive: large epochs take seconds. */
let last: Extract<Request, { kind: 'verify' }> | null = null;

self.addEventListener('message', (event: MessageEvent<Request>) => {
  const request = event.data;
  if (request.kind === 'verify') last = request;
  else if (last !== null) last = { ...last, sequence: request.sequence };
  if (last !== null) answer(verified(last));
});

function verified({
  nextHeader,
  previousHead,
  sequence,
  text,
}: Extract<Request, { kind: 'verify' }>): Answer {
  try {
    const report = verifyEpoch(JSON.parse(text), browserHashing, {
      sequence,
      nextHeader,
      previousHead,
      progress: (done) => answer({ kind: 'progress', done }),
    });
    return { kind: 'report', report };
  } catch (error) {
    if (error instanceof NotRevealed) return { kind: 'not-revealed', message: error.message };
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'unreadable', message: `This is not the JSON of an epoch: ${reason}` };
  }
}

function answer(message: Answer): void {
  self.postMessage(message);
}
