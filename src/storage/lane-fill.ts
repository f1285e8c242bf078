import { spareWithin } from '../log/base/spare-room.ts';
import type { StreamExtent, StreamFill } from '../ports.ts';

/** How full a lane's streams are: what leaves them when room gets short. */
export class LaneFill {
  readonly #fills: readonly StreamFill[];
  readonly #extents: readonly StreamExtent[];

  constructor(fills: readonly StreamFill[], ...extents: readonly StreamExtent[]) {
    this.#fills = fills;
    this.#extents = extents;
  }

  /** The last message that the fullest stream does not keep, if it keeps this part of its room. */
  surplusTo(keepRatio: number): number {
    const [{ firstSequence, messages }] = this.#extents as readonly [StreamExtent];
    const ratios = this.#fills.map(({ bytes, maxBytes }) => (maxBytes > 0 ? bytes / maxBytes : 0));
    const surplus = Math.max(0, 1 - keepRatio / Math.max(...ratios));
    return firstSequence - 1 + Math.floor(messages * surplus);
  }

  spare(wanted: number): number {
    const spares = this.#extents.map(({ stream, messages }) => {
      const fill = this.#fills.find((each) => each.stream === stream);
      return fill === undefined ? wanted : spareWithin(wanted, { ...fill, messages });
    });
    return Math.min(...spares);
  }
}
