import { storageSubject } from '../../log/base/names.ts';
import { encodeLaneNeed, type LaneNeed } from '../../log/lanes/storage-question.ts';
import { type Bus, LogError } from '../../ports.ts';

const answerWithinMs = 5_000;

/** Who trims the streams of a lane, as its owner asks for it. */
export interface Trimming {
  /** Resolves when the question has arrived; what is done about it takes its time. */
  ask(need: LaneNeed): Promise<void>;
}

/** Asks the role `storage`. Without an answer the watch of streams raises an alarm. */
export function storageClient(bus: Bus): Trimming {
  return {
    async ask(need) {
      try {
        await bus.request(storageSubject, encodeLaneNeed(need), answerWithinMs);
      } catch (error) {
        if (!(error instanceof LogError)) throw error;
      }
    },
  };
}
