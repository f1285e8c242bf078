import { expect, it } from 'vitest';
import { commandPages, outcomePages } from '../../../src/actors/audit/pages.ts';
import { enginesOf } from '../../../src/actors/replica/engines.ts';
import { LoopTurn } from '../../../src/lib/turns.ts';
import { openBooks } from '../../../src/reporting/books/open-books.ts';
import { ActorWorld, lane } from '../../actors/actor-world.ts';
import { contribution } from '../../jackpot/support/commands.ts';
import { onePot } from '../../jackpot/support/scenario.ts';

/** A larger record is stored in parts. */
const largestWholeBytes = 192 * 1024;
const contributions = 110;
/** Nine of ten contributions win, and a win's event repeats what its contribution says. */
const often = { HitRate: { max_magic_number: 1, cost_per_attempt: '1.1' } };

it('a record that is stored in parts is booked as any other', async () => {
  const world = await ActorWorld.open();
  try {
    const host = await world.startHost('host');
    await world.owned(host);
    for (let version = 2; version <= 4; version += 1)
      await world.reply(await world.send([{ kind: 'UpgradeTo', version }]));
    await world.activeInstance('jackpot', onePot({ pot_types: [often] }));
    const commands = Array.from({ length: contributions }, (_, index) =>
      contribution({
        contributionId: new Uint8Array(16).fill(index),
        player: `p${index}`,
        eventMetadata: JSON.stringify({ text: 'x'.repeat(2_000) }),
      }),
    );
    const { sequence } = await world.send(commands);
    const last = await world.outcomesStored();
    const { engine } = world.settings('');
    const ports = { log: world.log, engines: (of: Parameters<typeof enginesOf>[0]) => enginesOf(of, engine) };
    const books = await openBooks(lane, 'oldest', { ...ports, turn: new LoopTurn() });
    const pages = { commands: commandPages(world.log, lane), outcomes: outcomePages(world.log, lane) };
    let won = 0;
    for (let next = books.sequence + 1; next <= last; next += 1) {
      const outcome = (await pages.outcomes.at(next))!;
      const booked = books.apply((await pages.commands.at(next))!, outcome);
      if (next !== sequence) continue;
      expect(outcome.bytes.length).toBeGreaterThan(largestWholeBytes);
      won = booked.contributions.filter(({ win }) => win !== null).length;
      expect(booked.postings.filter(({ phase }) => phase === 'win')).toHaveLength(won);
    }
    expect(won).toBeGreaterThan(contributions / 2);
    expect(books.sequence).toBe(last);
  } finally {
    await world.close();
  }
});
