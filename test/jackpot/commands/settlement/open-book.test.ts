import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OpenBook } from '../../../../src/jackpot/state/settlements/open-book.ts';

interface Item {
  readonly number: number;
  readonly transactionId: string;
  readonly instance: string;
  readonly brand: string;
  readonly state: string;
}

const item = (number: number, state = 'new'): Item => ({
  number,
  transactionId: `t${number}`,
  instance: `i${number % 3}`,
  brand: 'op:main',
  state,
});

describe('the open items of a lane', () => {
  it('are a map in the order of their numbers, whatever is removed', () => {
    const steps = fc.array(
      fc.record({ step: fc.constantFrom('add', 'add', 'delete', 'replace'), at: fc.nat(200) }),
      { maxLength: 600 },
    );
    fc.assert(
      fc.property(steps, fc.nat(300), (done, after) => {
        const book = new OpenBook<Item>();
        const model = new Map<number, Item>();
        let last = 0;
        for (const { step, at } of done) {
          const open = [...model.keys()];
          const number = open[at % Math.max(1, open.length)];
          if (step === 'add') {
            last += 1 + (at % 3);
            model.set(last, item(last));
            book.set(item(last));
          } else if (number === undefined) continue;
          else if (step === 'delete') {
            model.delete(number);
            book.delete(`t${number}`);
          } else {
            model.set(number, item(number, 'changed'));
            book.set(item(number, 'changed'));
          }
        }
        const all = [...model.values()];
        expect([...book.all()].sort((a, b) => a.number - b.number)).toEqual(all);
        expect([...book.behind(after)]).toEqual(all.filter(({ number }) => number > after));
        expect([...book.newestFirst()]).toEqual(all.toReversed());
        expect(book.page(after, 2, ({ instance }) => instance === 'i1')).toEqual(
          all.filter(({ number, instance }) => number > after && instance === 'i1').slice(0, 2),
        );
        expect(book.numbered(after)).toEqual(model.get(after) ?? null);
        expect(book.size).toBe(model.size);
        expect(book.countOf('i1')).toBe(all.filter(({ instance }) => instance === 'i1').length);
      }),
    );
  });
});
