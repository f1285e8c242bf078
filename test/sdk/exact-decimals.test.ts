import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactAnswer } from '../../sdk/src/exact-decimals.ts';
import { formatAmount } from '../../src/lib/money.ts';

const amounts = fc.bigInt({ min: 0n, max: 10n ** 30n }).map(formatAmount);

describe('decimals of answers', () => {
  it('keep every digit, and other values stay as they are', () => {
    fc.assert(
      fc.property(
        amounts,
        amounts,
        fc.jsonValue(),
        fc.maxSafeInteger(),
        (win, contributed, metadata, time) => {
          const text = `{"win_amount":${win},"contribution_amount":${contributed},"timestamp":${time},"metadata":${JSON.stringify(metadata)}}`;
          const answer = JSON.parse(
            exactAnswer('POST', '/v1/jackpot/sources/{source_id}/contributions', text),
          );
          expect(answer).toEqual({
            win_amount: win,
            contribution_amount: contributed,
            timestamp: time,
            metadata: JSON.parse(JSON.stringify(metadata)),
          });
        },
      ),
    );
  });

  it('are found in lists, maps and members that may be missing', () => {
    const rates =
      '{"base_currency":"EUR","last_updated":5,"multipliers":{"JPY":164.123456789012345678,"SEK":11}}';
    expect(JSON.parse(exactAnswer('GET', '/v1/currencies', rates))).toEqual({
      base_currency: 'EUR',
      last_updated: 5,
      multipliers: { JPY: '164.123456789012345678', SEK: '11' },
    });
    const winners = '{"grand":[{"win_amount":1.10,"timestamp":1}],"mini":[]}';
    const path = '/v1/jackpot/instances/{instance_id}/pots/winners';
    expect(JSON.parse(exactAnswer('GET', path, winners))).toEqual({
      grand: [{ win_amount: '1.10', timestamp: 1 }],
      mini: [],
    });
    const source = '/v1/operator/jackpot/instances/source/{source_id}/brand/{brand_id}';
    expect(
      JSON.parse(exactAnswer('GET', source, '{"optin_status":null,"pots":[{"current_value":2}]}')),
    ).toEqual({
      optin_status: null,
      pots: [{ current_value: '2' }],
    });
  });
});
