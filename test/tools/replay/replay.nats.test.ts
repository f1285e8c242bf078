import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatAmount } from '../../../src/lib/money.ts';
import { withLaneHead } from '../../../src/messages/codec/record-head.ts';
import type { InstanceDescription } from '../../../src/messages/records.ts';
import { parseMoment } from '../../../tools/replay/moment.ts';
import { type ReplayChoices, type ReplayDocument, replayInstance } from '../../../tools/replay/run.ts';
import { ActorWorld, hex, lane } from '../../actors/actor-world.ts';
import { auditPorts, forgeOutcomes, play } from '../../actors/audit/audit-world.ts';

let world: ActorWorld;
/** What the lane answered, with the message behind which it did. */
const answered: {
  readonly message: number;
  readonly atMs: number;
  readonly instance: InstanceDescription;
}[] = [];

beforeAll(async () => {
  world = await ActorWorld.open();
  const host = await world.startHost('first');
  await world.owned(host);
  await world.activeInstance();
  for (let part = 0; part < 4; part += 1) {
    await play(world, 30);
    const message = await world.log.lastCommand(lane);
    const answer = await world.query({ kind: 'instances', ids: ['jackpot'] }, message);
    const stored = await world.log.readCommand(lane, message);
    answered.push({ message, atMs: stored!.timestampMs, instance: described(answer) });
  }
  await host.stop();
});
afterAll(() => world.close());

function described(answer: unknown): InstanceDescription {
  return (answer as { readonly instances: readonly InstanceDescription[] }).instances[0]!;
}

async function replay(changes: Partial<ReplayChoices>) {
  const system = { ...auditPorts(world), lanes: 1 };
  const written: string[] = [];
  const said: string[] = [];
  const choices = { instance: 'jackpot', moment: parseMoment('0')!, lane: null, json: true, ...changes };
  const code = await replayInstance(system, choices, {
    write: (part) => void written.push(part),
    print: (line) => void said.push(line),
  });
  const text = written.join('');
  return { code, text, said, document: text.startsWith('{') ? (JSON.parse(text) as ReplayDocument) : null };
}

/** The fields of a replay, from an answer of the lane. */
function fieldsOf({ pots, ...instance }: InstanceDescription) {
  return {
    sequence: instance.sequence,
    status: instance.status,
    version: instance.version,
    total_contributions: instance.totalContributions,
    head: hex(instance.head),
    'house.current': formatAmount(instance.house.currentAtoms),
    ...Object.fromEntries(
      pots.flatMap(({ pot, currentAtoms, seedAtoms, instanceCount }) => [
        [`pots.${pot}.current`, formatAmount(currentAtoms)],
        [`pots.${pot}.seed`, formatAmount(seedAtoms)],
        [`pots.${pot}.instance_count`, instanceCount],
      ]),
    ),
  };
}

it('shows what the lane answered then, by sequence, message and time', async () => {
  expect(answered).toHaveLength(4);
  const last = answered.at(-1)!;
  for (const { message, atMs, instance } of answered) {
    const moments = [
      parseMoment(String(instance.sequence))!,
      { kind: 'message', sequence: message } as const,
      parseMoment(new Date(atMs).toISOString())!,
    ];
    for (const moment of moments) {
      const { code, document } = await replay({ moment });
      expect(code).toBe(0);
      expect(document).toMatchObject({ lane, instance: 'jackpot' });
      expect(document!.at).toMatchObject({ ...fieldsOf(instance), message });
      expect(document!.now).toMatchObject(fieldsOf(last.instance));
    }
  }
});

it('says what changed since, in text and JSON', async () => {
  const [first, last] = [answered[0]!.instance, answered.at(-1)!.instance];
  const { document } = await replay({ moment: parseMoment(String(first.sequence))! });
  const total = document!.differences.find(({ field }) => field === 'total_contributions');
  const difference = last.totalContributions - first.totalContributions;
  expect(total).toEqual({
    field: 'total_contributions',
    at: first.totalContributions,
    now: last.totalContributions,
    difference,
  });
  const pot = first.pots[0]!.pot;
  const current = document!.differences.find(({ field }) => field === `pots.${pot}.current`);
  const grownAtoms = last.pots[0]!.currentAtoms - first.pots[0]!.currentAtoms;
  expect(current).toMatchObject({ difference: formatAmount(grownAtoms) });
  const { text } = await replay({ moment: parseMoment(String(first.sequence))!, json: false });
  expect(text).toMatch(
    new RegExp(
      `total_contributions +${first.totalContributions} +${last.totalContributions} .\\+${difference}`,
    ),
  );
});

it('shows the end of a message where the sequence is within one, and says so', async () => {
  const { sequence } = answered[0]!.instance;
  const { code, document, said } = await replay({ moment: parseMoment(String(sequence - 2))! });
  expect(code).toBe(0);
  expect(document!.at).toMatchObject({ sequence });
  expect(said).toEqual([
    `Sequence ${sequence - 2} is within message ${answered[0]!.message}, which ends at sequence ${sequence}: shown is its end.`,
  ]);
});

it('does not guess: no such instance, moment or lane, and a log that is not what the lane was', async () => {
  expect(await replay({ instance: 'other' })).toMatchObject({ code: 3, text: '' });
  expect(await replay({ lane: 7 })).toMatchObject({ code: 1, text: '' });
  expect(await replay({ moment: parseMoment('2020-01-01T00:00:00Z')! })).toMatchObject({ code: 3, text: '' });
  await expect(replay({ moment: parseMoment('999999')! })).rejects.toThrow(
    'jackpot has no sequence 999999 yet',
  );
  const { message } = answered[1]!;
  await forgeOutcomes(world, ({ sequence, bytes }) => {
    return sequence === message ? withLaneHead(bytes, new Uint8Array(32)) : bytes;
  });
  await expect(replay({ moment: { kind: 'message', sequence: message } })).rejects.toThrow(
    /another lane head at message \d+ than OUT: "potstream audit --lane 0"/,
  );
});
