import { assert } from '../../../lib/assert.ts';
import { fromHex, toHex } from '../../../lib/bytes.ts';
import type { Document } from '../../../lib/document-reader.ts';
import { parseConfiguration } from '../../rules/configuration/parse.ts';
import { readPot } from '../../rules/configuration/pot.ts';
import { asRafflePot } from '../../rules/configuration/raffle-rules.ts';
import type { Configuration, PotConfiguration } from '../../state/configuration/configuration.ts';
import type { Hashing } from '../../state/hashing/hashing.ts';
import type { DrawRules } from '../../state/instance/epochs.ts';
import {
  Instance,
  type InstanceFacts,
  type InstanceStatus,
  type SwitchWork,
} from '../../state/instance/instance.ts';
import { cycleAt, potAt } from '../../state/money/accounts.ts';
import { raffleFacts, restoreRaffle } from './raffle-facts.ts';

/** Facts of an instance in a snapshot, beside its balances and players. */
export type StoredInstance = ReturnType<typeof instanceFacts>;

export function instanceFacts(instance: Instance) {
  const { epochs } = instance;
  return {
    type: 'instance' as const,
    facts: instance.facts,
    name: instance.name,
    description: instance.description,
    status: instance.status as string,
    suspended: instance.suspended,
    reason: instance.reason,
    /** Absent in older snapshots, as the rules of epochs are. */
    resumedMs: instance.resumedMs as number | null | undefined,
    version: instance.version,
    lastUpdatedMs: instance.lastUpdatedMs,
    sequence: instance.sequence,
    counter: instance.counter,
    links: instance.links,
    switchedTo: instance.switchedTo,
    switchedFrom: instance.switchedFrom,
    switching: storedSwitch(instance.switching),
    /** Absent in older snapshots, and where there is none. */
    ...(instance.switchOrder === null ? {} : { switchOrder: instance.switchOrder }),
    ...(instance.takingBackFrom === null ? {} : { takingBackFrom: instance.takingBackFrom }),
    raffle: instance.raffle === null ? null : raffleFacts(instance.raffle),
    currencies: [...instance.currencies],
    contributors: instance.players.contributors,
    /** How many follow; absent in older snapshots. */
    players: instance.players.size as number | undefined,
    configuration: instance.configuration.document,
    pendingConfiguration: instance.pendingConfiguration?.document ?? null,
    pots: instance.pots.map((pot) => ({
      effective: pot.effective.document,
      pending: pot.pending?.document ?? null,
    })),
    head: toHex(epochs.head),
    endRequested: epochs.endRequested,
    /** Absent in older snapshots: their messages were always announced in full. */
    hasRebound: instance.hasRebound as boolean | undefined,
    /** Absent: false. */
    isSpent: instance.isSpent ? true : undefined,
    seeds: [...epochs.seeds.values()].map((seed) => ({
      epoch: seed.epoch,
      commit: toHex(seed.commit),
      sealed: toHex(seed.sealed),
      keyId: seed.keyId,
      beacon: toHex(seed.beacon),
    })),
    begun: epochs.begun.map((epoch) => ({
      ...epoch,
      rules: epoch.rules as DrawRules | undefined,
      commit: toHex(epoch.commit),
      seed: epoch.seed === null ? null : toHex(epoch.seed),
    })),
    flushes: instance.flushes,
    flush:
      instance.flush === null
        ? null
        : { ...instance.flush, amountAtoms: instance.flush.amountAtoms.toString() },
    winners: instance.winners.all().map((each) => ({ ...each, amountAtoms: each.amountAtoms.toString() })),
  };
}

export function restoreInstance(stored: StoredInstance, balances: Float64Array, hashing: Hashing): Instance {
  const facts: InstanceFacts = stored.facts;
  const instance = new Instance(facts, configurationFrom(stored.configuration), hashing);
  instance.name = stored.name;
  instance.description = stored.description;
  instance.status = stored.status as InstanceStatus;
  instance.suspended = stored.suspended;
  instance.reason = stored.reason;
  instance.resumedMs = stored.resumedMs ?? null;
  instance.version = stored.version;
  instance.lastUpdatedMs = stored.lastUpdatedMs;
  instance.sequence = stored.sequence;
  instance.counter = stored.counter;
  instance.links = stored.links;
  instance.switchedTo = stored.switchedTo;
  instance.switchedFrom = stored.switchedFrom;
  instance.switching = switchFrom(stored.switching);
  instance.switchOrder = stored.switchOrder ?? null;
  instance.takingBackFrom = stored.takingBackFrom ?? null;
  if (instance.raffle !== null && stored.raffle !== null) restoreRaffle(instance.raffle, stored.raffle);
  instance.currencies.splice(0, Number.POSITIVE_INFINITY, ...stored.currencies);
  instance.players.contributors = stored.contributors;
  instance.players.reserve(stored.players ?? 0);
  if (stored.pendingConfiguration !== null) {
    instance.pendingConfiguration = configurationFrom(stored.pendingConfiguration);
  }
  stored.pots.forEach(({ effective, pending }, index) => {
    const pot = instance.pots[index]!;
    pot.effective = potFrom(instance, effective);
    pot.pending = pending === null ? null : potFrom(instance, pending);
  });
  restoreEpochs(instance, stored);
  instance.hasRebound = stored.hasRebound ?? false;
  instance.isSpent = stored.isSpent ?? false;
  instance.flushes = stored.flushes;
  if (stored.flush !== null) {
    instance.flush = { ...stored.flush, amountAtoms: BigInt(stored.flush.amountAtoms) };
  }
  for (const each of stored.winners) {
    instance.winners.add({ ...each, amountAtoms: BigInt(each.amountAtoms) });
  }
  instance.balances.set(balances);
  for (const { index } of instance.pots)
    instance.players.standings.turnTo(index, balances[potAt(index) + cycleAt]!);
  instance.refresh();
  return instance;
}

/** Stored snapshots have the older names. */
function storedSwitch(work: SwitchWork | null) {
  if (work === null) return null;
  const { step, unannouncedBindings, unannouncedInstances, nextRow } = work;
  return {
    step,
    untoldBindings: unannouncedBindings,
    untoldInstances: unannouncedInstances,
    nextRow,
  };
}

function switchFrom(stored: ReturnType<typeof storedSwitch>): SwitchWork | null {
  if (stored === null) return null;
  const { step, untoldBindings, untoldInstances, nextRow } = stored;
  return {
    step,
    unannouncedBindings: untoldBindings,
    unannouncedInstances: untoldInstances,
    nextRow,
  };
}

function potFrom(instance: Instance, document: Document): PotConfiguration {
  const pot = readPot(document, '', []);
  return instance.raffle === null ? pot : asRafflePot(pot);
}

function restoreEpochs(instance: Instance, stored: StoredInstance): void {
  const { epochs } = instance;
  epochs.head = fromHex(stored.head);
  epochs.endRequested = stored.endRequested;
  for (const seed of stored.seeds) {
    epochs.seeds.set(seed.epoch, {
      ...seed,
      commit: fromHex(seed.commit),
      sealed: fromHex(seed.sealed),
      beacon: fromHex(seed.beacon),
    });
  }
  epochs.begun = stored.begun.map((epoch) => ({
    ...epoch,
    rules: epoch.rules ?? 1,
    commit: fromHex(epoch.commit),
    seed: epoch.seed === null ? null : fromHex(epoch.seed),
  }));
}

function configurationFrom(document: Document): Configuration {
  const parsed = parseConfiguration(document);
  assert(parsed.ok, 'a stored configuration stays readable');
  return parsed.configuration;
}
