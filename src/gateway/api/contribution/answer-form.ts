import type { ReadModel } from '../../../directory/read-model.ts';
import type { ContributionOutcome } from '../../../messages/outcomes.ts';
import type { Contribute } from '../../../messages/player-commands.ts';

/** Where the currency of a jackpot is looked up. */
export type InstanceCurrencies = Pick<ReadModel, 'known'>;

/** A contribution that was applied: to the instances of its results, the main one first. */
export interface Applied {
  readonly results: readonly ContributionOutcome[];
  readonly command: Contribute;
  /** The lane's time of the outcome; results that waited for others have their own. */
  readonly timestampMs: number;
  /** As the request gave it, in JSON. */
  readonly metadata: string | null;
}

/** How callers are told what became of a contribution: in the answer to a request, or in a line of a stream. */
export interface AnswerForm<Answer> {
  contributed(applied: Applied, directory: InstanceCurrencies): Answer;
  /** A repeated idempotency key: the first contribution, with the metadata of the repeat. */
  repeated(first: Applied, directory: InstanceCurrencies): Answer;
  /** It is stored, and its callback gets the outcome. */
  accepted(command: Contribute, timestampMs: number, isRepeated: boolean): Answer;
}
