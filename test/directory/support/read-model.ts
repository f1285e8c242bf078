import { ReadModel } from '../../../src/directory/read-model.ts';
import type { Binding, InstanceDescription, LiveValues } from '../../../src/messages/records.ts';

export function described(
  instance: string,
  changes: Partial<InstanceDescription> & { readonly rules?: Readonly<Record<string, unknown>> } = {},
): InstanceDescription {
  const { rules = {}, ...fields } = changes;
  return {
    instance,
    group: 'op',
    owner: 'op',
    templateOwner: 'op',
    template: 't',
    name: instance,
    description: '',
    gameCode: '',
    status: 'Active',
    version: 1,
    createdMs: 1,
    lastUpdatedMs: 1,
    timestampStartMs: 1,
    timestampEndMs: null,
    totalContributions: 0,
    sequence: 0,
    links: [],
    switchedTo: '',
    configuration: {
      currency: 'EUR',
      jackpot_type: 'Jackpot',
      contribution_rules: rules,
      pots: [{ id: 'p' }],
    },
    house: {
      currentAtoms: 0n,
      seedDeficitAtoms: 0n,
      diversionAtoms: 0n,
      totalContributions: 0,
      createdMs: 1,
    },
    pots: [],
    head: new Uint8Array(32),
    epoch: 0,
    eventCounter: 0,
    pendingConfiguration: null,
    ...fields,
  };
}

export function headlined(instance: string, changes: Partial<LiveValues> = {}): LiveValues {
  return {
    instance,
    sequence: 0,
    version: 1,
    status: 'Active',
    pots: [{ pot: 'p', currentAtoms: 0n, instanceCount: 1, enabled: true }],
    head: new Uint8Array(32),
    epoch: 0,
    lastUpdatedMs: 1,
    ...changes,
  };
}

/** A read model of one lane with the operators op and foe, their brands op:a, op:b and foe:a, and the source `s` of all. */
export function filledReadModel(): ReadModel {
  const readModel = new ReadModel(1);
  let revision = 0;
  const set = (entry: object) => {
    revision += 1;
    readModel.directoryChanged({ kind: 'set', entry: entry as never }, revision);
  };
  const common = { name: 'n', created_timestamp: 1, enabled: true };
  for (const id of ['op', 'foe']) set({ ...common, kind: 'operator', id });
  for (const path of ['op:a', 'op:b', 'foe:a'])
    set({ ...common, kind: 'brand', path, salt: '', wallet: false });
  for (const owner of ['op', 'op:a', 'op:b', 'foe']) set({ ...common, kind: 'source', owner, id: 's' });
  set({ ...common, kind: 'segment', owner: 'op', id: 'gold', priority: 1 });
  set({ ...common, kind: 'segment', owner: 'op:a', id: 'high', priority: 0 });
  return readModel;
}

export function bind(
  readModel: ReadModel,
  of: 'source' | 'segment',
  owner: string,
  id: string,
  bindings: readonly Binding[],
  sequence = 1,
): void {
  readModel.laneState(0, sequence, [], [{ of, owner, id, bindings }]);
}

export function add(
  readModel: ReadModel,
  description: InstanceDescription,
  liveValues: LiveValues = headlined(description.instance, { status: description.status }),
): void {
  readModel.laneState(0, 1, [{ description, liveValues }], []);
}
