import { DuplicateMember, EpochVerification, NotRevealed, parsePublic } from '../../../verifier/src/index.ts';
import { browserHashing } from './hashing.ts';
import type { Answer, Request } from './messages.ts';
import { NoData, readEpoch, showCredential } from './public-data.ts';

/**
 * Verifies beside the page, so that the page stays alive: large epochs take seconds. Of an epoch of many pages the
 * further ones are fetched one by one, and anew where another draw is shown: together they fit no memory.
 */
let last: Extract<Request, { kind: 'verify' }> | null = null;

self.addEventListener('message', (event: MessageEvent<Request>) => {
  const request = event.data;
  if (request.kind === 'verify') last = request;
  else if (last !== null) last = { ...last, sequence: request.sequence };
  const current = last;
  if (current === null) return;
  void verified(current, () => current !== last).then((found) => {
    if (current === last) answer(found);
  });
});

/** `isOver`: something else is asked for by now. */
async function verified(
  { further, nextHeader, previousEnding, sequence, text }: Extract<Request, { kind: 'verify' }>,
  isOver: () => boolean,
): Promise<Answer> {
  try {
    const verification = new EpochVerification(browserHashing, {
      sequence,
      nextHeader,
      previousEnding,
      progress: (done) => answer({ kind: 'progress', done }),
    });
    if (further !== null) showCredential(further.credential);
    const json = parsePublic(text);
    const pages: readonly unknown[] = Array.isArray(json) ? json : [json];
    for (const page of pages) verification.take(page);
    for (let page = pages.length; verification.missing > 0 && further !== null; page += 1) {
      const found = await readEpoch(further.instance, further.epoch, page);
      if (isOver()) break;
      verification.take(parsePublic(found));
    }
    return { kind: 'report', report: verification.report() };
  } catch (error) {
    if (error instanceof NotRevealed) return { kind: 'not-revealed', message: error.message };
    if (error instanceof NoData) return { kind: 'unreadable', message: error.message };
    if (error instanceof DuplicateMember)
      return { kind: 'unreadable', message: `This file says two things: ${error.message}` };
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'unreadable', message: `This is not the JSON of an epoch: ${reason}` };
  }
}

function answer(message: Answer): void {
  self.postMessage(message);
}
