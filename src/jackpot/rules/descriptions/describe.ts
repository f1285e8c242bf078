import type { Document } from '../../../lib/document-reader.ts';
import { readWide } from '../../../lib/wide.ts';
import { bytesOfInstance } from '../../../messages/announced-bytes.ts';
import type {
  InstanceDescription,
  LiveValues,
  LiveValuesSink,
  PotDescription,
  PotMeters,
} from '../../../messages/records.ts';
import type { Configuration, PotConfiguration } from '../../state/configuration/configuration.ts';
import type { Instance, Pot } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import * as accounts from '../../state/money/accounts.ts';

export function liveValues(instance: Instance): LiveValues {
  const { balances } = instance;
  const pots = instance.pots.map((pot) => {
    const at = accounts.potAt(pot.index);
    return {
      pot: pot.effective.id,
      currentAtoms: readWide(balances, at + accounts.currentAt),
      instanceCount: balances[at + accounts.cycleAt]!,
      enabled: balances[at + accounts.enabledAt] === 1,
      meters: metersOf(balances, at),
    };
  });
  return { ...liveFacts(instance), pots };
}

function liveFacts({
  id,
  sequence,
  version,
  status,
  epochs,
  lastUpdatedMs,
}: Instance): Omit<LiveValues, 'pots'> {
  return { instance: id, sequence, version, status, head: epochs.head, epoch: epochs.current, lastUpdatedMs };
}

export function visitLiveValues(instance: Instance, sink: LiveValuesSink): void {
  const { balances, pots } = instance;
  sink.instance(liveFacts(instance), pots.length);
  for (const pot of pots) {
    const at = accounts.potAt(pot.index);
    const enabled = balances[at + accounts.enabledAt] === 1;
    sink.pot(
      pot.effective.id,
      balances[at + accounts.cycleAt]!,
      enabled,
      balances[at + accounts.potContributionsAt]!,
    );
    for (const account of shownAccounts) sink.amount(balances[at + account]!, balances[at + account + 1]!);
  }
}

/** In the order of a sink. */
const shownAccounts = [
  accounts.currentAt,
  accounts.seedAt,
  accounts.surplusAt,
  accounts.overflowAt,
  accounts.contributedAt,
  accounts.contributedSeedAt,
  accounts.initialCostAt,
] as const;

/** Everything that A32 shows. The configuration is the one in force, pot by pot. */
export function describe(instance: Instance): InstanceDescription {
  const { facts, balances } = instance;
  return {
    instance: instance.id,
    group: facts.group,
    owner: facts.owner,
    templateOwner: facts.templateOwner,
    template: facts.template,
    name: instance.name,
    description: instance.description,
    gameCode: facts.gameCode,
    status: instance.status,
    version: instance.version,
    createdMs: facts.createdMs,
    lastUpdatedMs: instance.lastUpdatedMs,
    timestampStartMs: facts.startMs ?? facts.createdMs,
    timestampEndMs: facts.endMs,
    totalContributions: balances[accounts.totalContributionsAt]!,
    sequence: instance.sequence,
    links: instance.links,
    switchedTo: instance.switchedTo,
    configuration: effectiveDocument(instance),
    pendingConfiguration: pendingDocument(instance),
    house: {
      currentAtoms: readWide(balances, accounts.houseAt),
      seedDeficitAtoms: readWide(balances, accounts.seedDeficitAt),
      diversionAtoms:
        readWide(balances, accounts.diversionAt) + readWide(balances, accounts.diversionPendingAt),
      totalContributions: balances[accounts.houseContributionsAt]!,
      createdMs: facts.createdMs,
    },
    pots: instance.pots.map((pot) => describePot(balances, pot)),
    head: instance.epochs.head,
    epoch: instance.epochs.current,
    eventCounter: instance.counter,
    ...switchOf(instance),
  };
}

function switchOf({ switchOrder, players }: Instance): Pick<InstanceDescription, 'switch'> {
  if (switchOrder === null) return {};
  const { target, nextRow: copied, user, reason, end } = switchOrder;
  return { switch: { target, copied, total: Math.max(copied, players.size), user, reason, end } };
}

/**
 * The configuration in force: the same object until a part of it changes, so that readers can cache by it.
 */
function effectiveDocument(instance: Instance): Document {
  const { configuration, pots } = instance;
  const known = effectiveDocuments.get(configuration);
  if (known !== undefined && pots.every((pot) => known.pots[pot.index] === pot.effective))
    return known.document;
  const effective = pots.map((pot) => pot.effective);
  const document = { ...configuration.document, pots: effective.map((pot) => pot.document) };
  effectiveDocuments.set(configuration, { pots: effective, document });
  return document;
}

interface EffectiveDocument {
  readonly pots: readonly PotConfiguration[];
  readonly document: Document;
}

const effectiveDocuments = new WeakMap<Configuration, EffectiveDocument>();

/** The stored configuration, if any part of it waits for an epoch or a cycle; null: all of it is in force. */
function pendingDocument(instance: Instance): Document | null {
  const { pots, pendingConfiguration } = instance;
  return pendingConfiguration === null && pots.every((pot) => pot.pending === null)
    ? null
    : storedDocument(instance);
}

/** The configuration as it was stored last: what the next change is merged with. */
function storedDocument(instance: Instance): Document {
  return {
    ...(instance.pendingConfiguration ?? instance.configuration).document,
    pots: instance.pots.map((pot) => (pot.pending ?? pot.effective).document),
  };
}

function describePot(balances: Float64Array, pot: Pot): PotDescription {
  const at = accounts.potAt(pot.index);
  return {
    pot: pot.effective.id,
    enabled: balances[at + accounts.enabledAt] === 1,
    instanceCount: balances[at + accounts.cycleAt]!,
    createdMs: pot.createdMs,
    currentAtoms: readWide(balances, at + accounts.currentAt),
    carryAtoms: readWide(balances, at + accounts.carryAt),
    ...metersOf(balances, at),
  };
}

function metersOf(balances: Float64Array, at: number): PotMeters {
  return {
    seedAtoms: readWide(balances, at + accounts.seedAt),
    surplusAtoms: readWide(balances, at + accounts.surplusAt),
    overflowAtoms: readWide(balances, at + accounts.overflowAt),
    contributedAtoms: readWide(balances, at + accounts.contributedAt),
    contributedSeedAtoms: readWide(balances, at + accounts.contributedSeedAt),
    initialCostAtoms: readWide(balances, at + accounts.initialCostAt),
    totalContributions: balances[at + accounts.potContributionsAt]!,
  };
}

/** Tells the lane's followers of an instance as it is now. */
export function announceInstance(state: LaneState, instance: Instance): void {
  state.announce(
    { kind: 'InstanceChanged', instance: describe(instance) },
    bytesOfInstance(instance.configuration, instance.pendingConfiguration),
  );
}
