import type { EpochReplay } from './epoch-replay.ts';
import { type RevealedEpoch, revealedEpochs } from './revealed-epochs.ts';

/** Epochs are published in their order but for outages: behind so many that are there none is missing. */
const publishedInARow = 32;

/** Epochs before `known` that are not published, the oldest first. */
export async function unpublishedBefore(
  known: number,
  isPublished: (epoch: number) => Promise<boolean>,
): Promise<number[]> {
  const missing: number[] = [];
  let inARow = 0;
  for (let epoch = known - 1; epoch >= 0 && inARow < publishedInARow; epoch -= 1) {
    const isThere = await isPublished(epoch);
    inARow = isThere ? inARow + 1 : 0;
    if (!isThere) missing.push(epoch);
  }
  return missing.reverse();
}

/**
 * What the lane said of epochs that it has forgotten since: the log tells it again, up to `lastMessage`. Those that are
 * not among the answers cannot be told any more.
 */
export async function forgottenEpochs(
  wanted: ReadonlyMap<string, readonly number[]>,
  lastMessage: number,
  replay: EpochReplay,
  worked: (commands: number) => Promise<void>,
): Promise<RevealedEpoch[]> {
  const left = new Map([...wanted].map(([instance, epochs]) => [instance, new Set(epochs)]));
  const found: RevealedEpoch[] = [];
  const remembers = (first: number | undefined, epochs: readonly number[]): boolean =>
    first === undefined || first <= Math.min(...epochs);
  await replay.since(
    (engine) =>
      [...wanted].every(([instance, epochs]) => remembers(engine.epochs(instance)?.[0]?.epoch, epochs)),
    lastMessage,
    async ({ commands, engine }) => {
      const isStart = commands.length === 0;
      for (const [instance, epochs] of left) {
        const isRevealing = commands.some(
          (each) => each.kind === 'RevealEpoch' && each.instance === instance,
        );
        if (!isStart && !isRevealing) continue;
        for (const revealed of revealedEpochs(engine, instance)) {
          // The one behind has begun long before this one is forgotten.
          if (revealed.nextHeader !== '' && epochs.delete(revealed.record.epoch)) found.push(revealed);
        }
        if (epochs.size === 0) left.delete(instance);
      }
      await worked(commands.length);
      return left.size === 0;
    },
  );
  return found;
}
