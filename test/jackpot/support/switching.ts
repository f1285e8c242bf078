import type { InstanceConfigurationDocument, SwitchModel } from '../../../src/messages/instance-commands.ts';
import type { OptIn } from '../../../src/messages/player-commands.ts';
import { brand, createInstance, openEpoch, running } from './commands.ts';
import type { TestLane } from './lane.ts';

export function switchModel(changes: Partial<SwitchModel> = {}): SwitchModel {
  return {
    kind: 'SwitchModel',
    instance: 'jackpot',
    target: 'next',
    rules: [{ source: 'main', targets: [['main', '1']] }],
    transferOptIns: false,
    override: false,
    reason: 'a better model',
    user: 'admin',
    ...changes,
  };
}

export function optIn(player: string, changes: Partial<OptIn> = {}): OptIn {
  return {
    kind: 'OptIn',
    instance: 'jackpot',
    brand,
    player,
    country: 'DE',
    optIn: true,
    valueAtoms: null,
    currency: '',
    linked: false,
    user: '',
    ...changes,
  };
}

/** `jackpot` runs, `next` is Pending beside it. */
export function pair(
  lane: TestLane,
  source: InstanceConfigurationDocument,
  target: InstanceConfigurationDocument = source,
): void {
  lane.apply(
    ...running(source),
    createInstance(target, { instance: 'next' }),
    openEpoch('next', 0, [0, 1, 2]),
  );
}
