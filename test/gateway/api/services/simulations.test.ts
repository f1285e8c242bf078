import { expect, it } from 'vitest';
import {
  decodeSimulationQuestion,
  encodeSimulationMessage,
  type SimulationAnswer,
} from '../../../../src/contracts/reports/simulations.ts';
import { askSimulations } from '../../../../src/gateway/api/services/simulations.ts';
import { simulationsSubject } from '../../../../src/log/base/names.ts';
import { LogError } from '../../../../src/ports.ts';

/** How a gateway finds a simulation, of whichever process it is. */

const id = `${'a'.repeat(16)}-${'b'.repeat(32)}`;
const read = { kind: 'read', account: 'ada', id } as const;
const configured = { configuration: {}, exponent: null, contributions: 1, players: 1 };
const plan = { ...configured, perSecond: 1, wager: null, seed: '1' };
const begin = { kind: 'begin', account: 'ada', owner: 'acme', plan } as const;

function asking(answer: SimulationAnswer | Error | Uint8Array, hasListener = true) {
  const asked: unknown[] = [];
  const ask = askSimulations(
    {
      async request(subject, bytes) {
        asked.push([subject, decodeSimulationQuestion(bytes)]);
        if (answer instanceof Error) throw answer;
        return answer instanceof Uint8Array ? answer : encodeSimulationMessage(answer);
      },
      hasListener: async () => hasListener,
    },
    simulationsSubject,
  );
  return { ask, asked };
}

it('asks any process for a new one, and that of the id for others', async () => {
  const { ask, asked } = asking({ kind: 'missing' });
  await ask(begin);
  await ask(read);
  await ask({ ...read, kind: 'end' });
  expect(asked).toEqual([
    ['simulations.new', begin],
    [`simulations.${'a'.repeat(16)}`, read],
    [`simulations.${'a'.repeat(16)}`, { ...read, kind: 'end' }],
  ]);
});

it('of a process that has ended it is missing; of one that does not answer nothing is known', async () => {
  const outage = new LogError('unavailable', 'Nobody answers.');
  expect(await asking(outage, false).ask(read)).toEqual({ kind: 'missing' });
  for (const [question, isThere] of [
    [read, true],
    [begin, true],
    [begin, false],
  ] as const)
    await expect(asking(outage, isThere).ask(question)).rejects.toMatchObject({ code: 'overloaded' });
  await expect(asking(Buffer.from('{}')).ask(read)).rejects.toMatchObject({ code: 'overloaded' });
});

it('too many that wait are told so', async () => {
  await expect(asking({ kind: 'full' }).ask(begin)).rejects.toMatchObject({
    code: 'overloaded',
    message: expect.stringContaining('Too many'),
  });
});

it('a bug stays one', async () => {
  await expect(asking(new Error('bug')).ask(read)).rejects.toThrow('bug');
});
