import type { CommandOutcome, ContributionOutcome } from '../../../messages/outcomes.ts';
import type { Contribute } from '../../../messages/player-commands.ts';
import type { Refusal } from '../../../messages/refusals.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import type { Part } from '../../state/settlements/open-debits.ts';
import { contribute } from '../contribution/contribute.ts';
import type { DebitWanted, Entry } from '../contribution/entry.ts';
import { openDebit } from './open.ts';

const pending: CommandOutcome = { kind: 'Pending' };

/** The main target first: if it refuses, no link is tried; a link that refuses stops nothing. */
export function handleContribution(
  state: LaneState,
  entry: Entry,
  command: Contribute,
  index: number,
): CommandOutcome {
  const main = contribute(state, entry, command);
  if ('kind' in main) {
    if (main.kind === 'Refused') return main;
    const place = { sequence: state.messageSequence, index, part: 0, isLink: false };
    return wait(state, command, index, [openDebit(state, main, command, place)]);
  }
  if (entry.links === null) return { kind: 'Contributed', results: [main] };
  const parts = [main, ...contributeToLinks(state, entry.links, command, state.messageSequence, index)];
  if (parts.includes('waiting')) return wait(state, command, index, parts);
  return { kind: 'Contributed', results: resultsOf(parts) };
}

/** Parts of the links, in their order. `sequence` and `index` are the contribution's. */
export function contributeToLinks(
  state: LaneState,
  links: readonly Entry[],
  command: Contribute,
  sequence: number,
  index: number,
): readonly Part[] {
  return links.map((link, number) => {
    const taken: ContributionOutcome | Refusal | DebitWanted = contribute(state, link, command);
    if (!('kind' in taken)) return taken;
    if (taken.kind === 'Refused') return 'refused';
    return openDebit(state, taken, command, { sequence, index, part: number + 1, isLink: true });
  });
}

/** A part of this message, as a later answer tells it. */
export function kept({ rules, nowMs }: LaneState, part: Part): Part {
  return rules.resultsHaveOwnTimes && typeof part !== 'string' ? { ...part, timestampMs: nowMs } : part;
}

/** The results, the main one first. */
export function resultsOf(parts: readonly Part[]): readonly ContributionOutcome[] {
  return parts.filter((part): part is ContributionOutcome => typeof part !== 'string');
}

/** Keeps the contribution until its debits are settled; its bytes are the message's, which is not kept. */
function wait(state: LaneState, command: Contribute, index: number, parts: readonly Part[]): CommandOutcome {
  const { contributionId, idempotencyKey } = command;
  state.debits.setContribution({
    sequence: state.messageSequence,
    index,
    gateway: state.origin.gateway,
    batchId: new Uint8Array(state.origin.batchId),
    command: {
      ...command,
      contributionId: new Uint8Array(contributionId),
      idempotencyKey: idempotencyKey === null ? null : new Uint8Array(idempotencyKey),
    },
    parts: parts.map((part) => kept(state, part)),
  });
  return pending;
}
