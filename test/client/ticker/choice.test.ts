import { describe, expect, it } from 'vitest';
import type { JackpotUpdate } from '../../../client/src/index.ts';
import { Choice } from '../../../client/src/ticker/choice.ts';

function update(id: string, sources: readonly string[], ...pots: string[]): JackpotUpdate {
  return {
    msg_type: 'Event',
    source: 'jackpot',
    event_type: 'JackpotUpdate',
    operator_id: 'acme',
    brand_id: 'acme:main',
    player_id: null,
    instance_id: id,
    seq: 1,
    timestamp: 1,
    data: {
      id,
      currency: 'EUR',
      pots: pots.map((pot) => ({ id: pot, is_progressive: true, current_value: '1', community_split: '0' })),
      status: 'Active',
      timestamp_start: 0,
      timestamp_end: null,
      last_updated: 1,
      event_seq: 0,
      allowed_sources: [...sources],
    },
  };
}

describe('the jackpot that a ticker shows', () => {
  it('is the instance', () => {
    const choice = new Choice({ instance: 'b', source: 'slot-1' });
    expect(choice.take(update('a', ['slot-1'], 'grand'))).toBe(false);
    expect(choice.take(update('b', [], 'grand'))).toBe(true);
    expect(choice.update?.data.id).toBe('b');
  });

  it('is the one of the source', () => {
    const choice = new Choice({ source: 'slot-1' });
    expect(choice.take(update('a', ['slot-2'], 'grand'))).toBe(false);
    expect(choice.take(update('a', [], 'grand'))).toBe(false);
    expect(choice.take(update('b', ['slot-2', 'slot-1'], 'grand'))).toBe(true);
  });

  it('is the first with these pots', () => {
    const choice = new Choice({ pots: ['major', 'mini'] });
    expect(choice.take(update('a', [], 'grand'))).toBe(false);
    expect(choice.take(update('b', [], 'mini', 'grand', 'major'))).toBe(true);
    expect(choice.take(update('c', [], 'mini', 'major'))).toBe(false);
  });

  it('stays while its source leads there, and is the next one after that', () => {
    const choice = new Choice({ source: 'slot-1' });
    expect(choice.take(update('a', ['slot-1'], 'grand'))).toBe(true);
    expect(choice.take(update('b', ['slot-1'], 'grand'))).toBe(false);
    expect(choice.take(update('a', [], 'grand'))).toBe(true);
    expect(choice.take(update('b', ['slot-1'], 'grand'))).toBe(true);
    expect(choice.update?.data.id).toBe('b');
  });
});
