import type { Contribute } from '../../../messages/player-commands.ts';
import type { InstanceFacts } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';

/**
 * The source of an instance's transactions: its game code, else what the request names, else the jackpot. In
 * the first version of the engine the request came first.
 */
export function sourceOf(
  { rules }: LaneState,
  { gameCode, id }: Pick<InstanceFacts, 'gameCode' | 'id'>,
  named: string,
): string {
  const isGiven = named !== '' && !(rules.gameCodesAreSources && gameCode !== '');
  if (isGiven) return named;
  return gameCode === '' ? id : gameCode;
}

/** The source of a contribution, else the game that it names; empty: neither. */
export function namedSource({ target, origin }: Pick<Contribute, 'target' | 'origin'>): string {
  return target.type === 'source' ? target.id : (origin?.gameCode ?? '');
}
