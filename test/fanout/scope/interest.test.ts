import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseClientMessage, type SubscriptionEntry } from '../../../src/contracts/feeds/feed.ts';
import { jackpotEventTypes as types } from '../../../src/contracts/feeds/feed-events.ts';
import { interestOf, wants, wantsForeign } from '../../../src/fanout/scope/interest.ts';

const ids = ['a', 'b', 'c'];
const narrowing = {
  instance_ids: fc.option(fc.subarray(ids), { nil: null }),
  since: fc.option(fc.dictionary(fc.constantFrom(...ids), fc.nat()), { nil: null }),
};
const entry: fc.Arbitrary<SubscriptionEntry> = fc.oneof(
  fc.record({
    source: fc.constant('jackpot' as const),
    event_type: fc.constantFrom('*' as const, ...types),
    ...narrowing,
  }),
  fc.record({
    source: fc.constantFrom('campaign' as const, 'drop' as const),
    event_type: fc.constantFrom('*', 'NewerEvent', ...types),
    ...narrowing,
  }),
);
const entries = fc.array(entry, { minLength: 1, maxLength: 32 });

describe('interestOf', () => {
  it('wants exactly what some entry names', () => {
    fc.assert(
      fc.property(entries, (list) => {
        const interest = interestOf(list);
        for (const type of types)
          for (const id of ids) {
            const named = list.some(
              (one) =>
                one.source === 'jackpot' &&
                (one.event_type === '*' || one.event_type === type) &&
                (one.instance_ids === null || one.instance_ids?.includes(id)),
            );
            expect(interest !== null && wants(interest, type, id)).toBe(named);
          }
      }),
    );
  });

  it('wants the types of other sources that some entry names, whatever instances it names', () => {
    fc.assert(
      fc.property(entries, (list) => {
        const interest = interestOf(list);
        for (const source of ['campaign', 'drop'] as const)
          for (const type of ['NewerEvent', 'WinEvent', 'another']) {
            const named = list.some(
              (one) => one.source === source && (one.event_type === '*' || one.event_type === type),
            );
            expect(interest !== null && wantsForeign(interest, source, type)).toBe(named);
          }
      }),
    );
  });

  it('shares one object between all who want everything', () => {
    const all: SubscriptionEntry[] = [{ source: 'jackpot', event_type: '*' }];
    expect(interestOf(all)).toBe(interestOf([...all, { source: 'jackpot', event_type: 'WinEvent' }]));
  });

  it('is null where more instances are named than a connection may name', () => {
    const many = Array.from({ length: 513 }, (_, index) => `i${index}`);
    expect(interestOf([{ source: 'jackpot', event_type: '*', instance_ids: many }])).toBe(null);
  });
});

describe('parseClientMessage', () => {
  it('reads back every valid subscription', () => {
    fc.assert(
      fc.property(entries, (events) => {
        const message = { SubscribeRequest: { events } };
        expect(parseClientMessage(JSON.stringify(message))).toEqual(message);
      }),
    );
  });

  it('refuses any other JSON value, and text, without throwing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        expect(parseClientMessage(text)).toBe(null);
      }),
    );
  });

  it.each([
    '{"SubscribeRequest":{"events":[{"source":"jackpot","event_type":"*"}],"__proto__":{}}}',
    '{"SubscribeRequest":{"events":[{"source":"jackpot","event_type":"*","since":{"a":1.5}}]}}',
    '{"SubscribeRequest":{"events":[{"source":"jackpot","event_type":"*","since":{"a":"1"}}]}}',
    '{"SubscribeRequest":{"events":{"source":"jackpot","event_type":"*"}}}',
    '{"SubscribeRequest":{"events":[{"source":"Jackpot","event_type":"*"}]}}',
    '{"SubscribeRequest":{"events":[{"source":"jackpot"}]}}',
    '{"UnsubscribeRequest":null}',
    '{"RefreshTokenRequest":{}}',
  ])('refuses %s', (text) => {
    expect(parseClientMessage(text)).toBe(null);
  });
});
