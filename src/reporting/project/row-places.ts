import type { BookedMessage } from '../base/booked-message.ts';

/** Where a row is from: no two rows of a table have the same. */
interface RowPlace {
  readonly lane: number;
  readonly sequence: number;
  readonly command_index: number;
  readonly part: number;
  readonly time: number;
}

/** Command index of what follows from a message as a whole. */
export const ofMessage = -1;

/** Numbers the rows that a table gets for each command of a message. */
export class RowPlaces {
  readonly #message: Pick<BookedMessage, 'lane' | 'sequence' | 'timestampMs'>;
  readonly #parts = new Map<number, number>();

  constructor(message: Pick<BookedMessage, 'lane' | 'sequence' | 'timestampMs'>) {
    this.#message = message;
  }

  next(commandIndex: number): RowPlace {
    const { lane, sequence, timestampMs: time } = this.#message;
    const part = this.#parts.get(commandIndex) ?? 0;
    this.#parts.set(commandIndex, part + 1);
    return { lane, sequence, command_index: commandIndex, part, time };
  }
}
