import { brandOf, operatorOf } from '../../contracts/fields/identifiers.ts';
import { tickerView } from '../../contracts/jackpots/instance-view.ts';
import type { KnownInstance } from '../../directory/lane-view.ts';
import type { ReadModel } from '../../directory/read-model.ts';
import { toHex } from '../../lib/bytes.ts';
import { writeJson } from '../../lib/json.ts';
import { envelopeOf, frameOf } from '../events/envelope.ts';
import type { Money } from '../scope/money.ts';

/** An instance ticker (O20) as JSON text, with amounts as its listeners see them. */
export function feedTickerText(readModel: ReadModel, known: KnownInstance, money: Money): string {
  const { description, liveValues, configuration } = known;
  const shown = liveValues.pots.map((pot) => ({
    ...pot,
    currentAtoms: money.show(pot.currentAtoms, configuration.currency).atoms,
  }));
  const ticker = tickerView(description, { ...liveValues, pots: shown }, configuration.pots, {
    brands: readModel.allowedBrands(known),
    sources: readModel.sourcesOf(description.instance),
  });
  return writeJson({ ...ticker, currency: money.show(0n, configuration.currency).currency });
}

/**
 * The JackpotUpdate of an instance: its ticker with `head` (lower-case hex) and `epoch`. `recovered` is there only in the
 * snapshot of a connection that asked with `since`.
 */
export function updateFrame(
  known: KnownInstance,
  ticker: string,
  timestampMs: number,
  recovered?: boolean,
): Buffer {
  const { description, liveValues } = known;
  const more = writeJson({ head: toHex(liveValues.head), epoch: liveValues.epoch, recovered });
  const envelope = envelopeOf({
    source: 'jackpot',
    event_type: 'JackpotUpdate',
    operator_id: operatorOf(description.owner),
    brand_id: brandOf(description.owner) === null ? null : description.owner,
    player_id: null,
    instance_id: description.instance,
    timestamp: timestampMs,
    data: `${ticker.slice(0, -1)},${more.slice(1)}`,
  });
  return frameOf(envelope, liveValues.sequence);
}
