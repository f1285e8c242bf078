import { expect } from 'vitest';
import { encodeCommandBatch } from '../../src/messages/codec/codec.ts';
import type { Command } from '../../src/messages/commands.ts';
import { createInstance, setBrand, setStatus } from '../jackpot/support/commands.ts';
import { threePots } from '../jackpot/support/configurations.ts';
import { lane, type SimSystem } from './sim-system.ts';

const restMs = 120_000;
const often = { HitRate: { max_magic_number: 30, cost_per_attempt: '0.1' } };

export const instances = ['gold', 'silver'];

/** Instances that win often, created as an administrator does. */
export async function prepare(system: SimSystem, names: readonly string[]): Promise<void> {
  const { world, gateway } = system;
  system.startHost();
  await world.until(() => system.owned, restMs, 'an owner');
  const configuration = threePots({}, { pot_types: [often] });
  const commands: Command[] = [];
  const brand = encodeCommandBatch({ batchId: new Uint8Array(16), gateway: '', commands: [setBrand()] });
  system.server.appendCommand(lane, 'control', brand, 'brand');
  for (const instance of names) {
    commands.push(createInstance(configuration, { instance }), setStatus('Active', instance));
  }
  for (const command of commands) {
    let kind: string | null = null;
    void gateway.send(lane, command).then((answer) => {
      kind = answer.outcome.kind;
    });
    await world.until(() => kind !== null, restMs, command.kind);
    expect(kind, command.kind).toBe('Done');
  }
}
