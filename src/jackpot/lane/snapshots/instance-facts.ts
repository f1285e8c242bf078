import { assert } from '../../../lib/assert.ts';
import { fromHex, toHex } from '../../../lib/bytes.ts';
import type { Document } from '../../../lib/document-reader.ts';
import type { Hashing } from '../../../lib/hashing.ts';
import { asStored, restored } from '../../../lib/json-chunks.ts';
import { parseConfiguration } from '../../rules/configuration/parse.ts';
import { readPot } from '../../rules/configuration/pot.ts';
import { asRafflePot } from '../../rules/configuration/raffle-rules.ts';
import type { Configuration, PotConfiguration } from '../../state/configuration/configuration.ts';
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
    flush: instance.flush === null ? null : asStored(instance.flush),
    winners: instance.winners.all().map((each) => asStored(each)),
  };
}

export function restoreInstance(from: StoredInstance, balances: Float64Array, hashing: Hashing): Instance {
  const facts: InstanceFacts = from.facts;
  const instance = new Instance(facts, configurationFrom(from.configuration), hashing);
  instance.name = from.name;
  instance.description = from.description;
  instance.status = from.status as InstanceStatus;
  instance.suspended = from.suspended;
  instance.reason = from.reason;
  instance.version = from.version;
  instance.lastUpdatedMs = from.lastUpdatedMs;
  instance.sequence = from.sequence;
  instance.counter = from.counter;
  instance.links = from.links;
  instance.resumedMs = from.resumedMs ?? null;
  instance.switchedTo = from.switchedTo;
  instance.switchedFrom = from.switchedFrom;
  instance.switching = switchFrom(from.switching);
  instance.switchOrder = from.switchOrder ?? null;
  instance.takingBackFrom = from.takingBackFrom ?? null;
  if (instance.raffle !== null && from.raffle !== null) restoreRaffle(instance.raffle, from.raffle);
  instance.currencies.splice(0, Number.POSITIVE_INFINITY, ...from.currencies);
  instance.players.contributors = from.contributors;
  instance.players.reserve(from.players ?? 0);
  if (from.pendingConfiguration !== null) {
    instance.pendingConfiguration = configurationFrom(from.pendingConfiguration);
  }
  from.pots.forEach(({ effective, pending }, index) => {
    const pot = instance.pots[index]!;
    pot.effective = potFrom(instance, effective);
    pot.pending = pending === null ? null : potFrom(instance, pending);
  });
  restoreEpochs(instance, from);
  instance.hasRebound = from.hasRebound ?? false;
  instance.isSpent = from.isSpent ?? false;
  instance.flushes = from.flushes;
  if (from.flush !== null) instance.flush = restored(from.flush, ['amountAtoms']);
  for (const each of from.winners) instance.winners.add(restored(each, ['amountAtoms']));
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
  return { step, untoldBindings: unannouncedBindings, untoldInstances: unannouncedInstances, nextRow };
}

function switchFrom(work: ReturnType<typeof storedSwitch>): SwitchWork | null {
  if (work === null) return null;
  const { step, untoldBindings, untoldInstances, nextRow } = work;
  return { step, unannouncedBindings: untoldBindings, unannouncedInstances: untoldInstances, nextRow };
}

function potFrom(instance: Instance, document: Document): PotConfiguration {
  const pot = readPot(document, '', []);
  return instance.raffle === null ? pot : asRafflePot(pot);
}

function restoreEpochs(instance: Instance, from: StoredInstance): void {
  const { epochs } = instance;
  epochs.head = fromHex(from.head);
  epochs.endRequested = from.endRequested;
  for (const seed of from.seeds) {
    epochs.seeds.set(seed.epoch, {
      ...seed,
      commit: fromHex(seed.commit),
      sealed: fromHex(seed.sealed),
      beacon: fromHex(seed.beacon),
    });
  }
  epochs.begun = from.begun.map((epoch) => ({
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
