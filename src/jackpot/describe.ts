import { readWide } from '../lib/wide.ts';
import type { Headline, InstanceDescription, PotDescription, PotMeters } from '../messages/records.ts';
import type { Document } from './configuration/reader.ts';
import {
  CARRY,
  CONTRIBUTED,
  CONTRIBUTED_SEED,
  CURRENT,
  CYCLE,
  DIVERSION,
  DIVERSION_PENDING,
  ENABLED,
  HOUSE,
  HOUSE_CONTRIBUTIONS,
  INITIAL_COST,
  OVERFLOW,
  POT_CONTRIBUTIONS,
  potAt,
  SEED,
  SEED_DEFICIT,
  SURPLUS,
  TOTAL_CONTRIBUTIONS,
} from './state/accounts.ts';
import type { Instance, Pot } from './state/instance.ts';

export function headline(instance: Instance): Headline {
  const { words } = instance;
  return {
    instance: instance.id,
    sequence: instance.sequence,
    version: instance.version,
    status: instance.status,
    pots: instance.pots.map((pot) => {
      const at = potAt(pot.index);
      return {
        pot: pot.effective.id,
        currentAtoms: readWide(words, at + CURRENT),
        instanceCount: words[at + CYCLE]!,
        enabled: words[at + ENABLED] === 1,
        meters: metersOf(words, at),
      };
    }),
    head: instance.epochs.head,
    epoch: instance.epochs.current,
    lastUpdatedMs: instance.lastUpdatedMs,
  };
}

/** Everything that A32 shows. The configuration is the one in force, pot by pot. */
export function describe(instance: Instance): InstanceDescription {
  const { facts, words } = instance;
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
    totalContributions: words[TOTAL_CONTRIBUTIONS]!,
    sequence: instance.sequence,
    links: instance.links,
    switchedTo: instance.switchedTo,
    configuration: {
      ...instance.configuration.document,
      pots: instance.pots.map((pot) => pot.effective.document),
    },
    pendingConfiguration: pendingDocument(instance),
    house: {
      currentAtoms: readWide(words, HOUSE),
      seedDeficitAtoms: readWide(words, SEED_DEFICIT),
      diversionAtoms: readWide(words, DIVERSION) + readWide(words, DIVERSION_PENDING),
      totalContributions: words[HOUSE_CONTRIBUTIONS]!,
      createdMs: facts.createdMs,
    },
    pots: instance.pots.map((pot) => describePot(words, pot)),
    head: instance.epochs.head,
    epoch: instance.epochs.current,
    eventCounter: instance.counter,
  };
}

/** The stored configuration where any part of it waits for an epoch or a cycle; null: all of it is in force. */
function pendingDocument(instance: Instance): Document | null {
  const { pots, pendingConfiguration } = instance;
  return pendingConfiguration === null && pots.every((pot) => pot.pending === null)
    ? null
    : storedDocument(instance);
}

/** The configuration as it was stored last: what the next change is merged with. */
export function storedDocument(instance: Instance): Document {
  return {
    ...(instance.pendingConfiguration ?? instance.configuration).document,
    pots: instance.pots.map((pot) => (pot.pending ?? pot.effective).document),
  };
}

function describePot(words: Float64Array, pot: Pot): PotDescription {
  const at = potAt(pot.index);
  return {
    pot: pot.effective.id,
    enabled: words[at + ENABLED] === 1,
    instanceCount: words[at + CYCLE]!,
    createdMs: pot.createdMs,
    currentAtoms: readWide(words, at + CURRENT),
    carryAtoms: readWide(words, at + CARRY),
    ...metersOf(words, at),
  };
}

function metersOf(words: Float64Array, at: number): PotMeters {
  return {
    seedAtoms: readWide(words, at + SEED),
    surplusAtoms: readWide(words, at + SURPLUS),
    overflowAtoms: readWide(words, at + OVERFLOW),
    contributedAtoms: readWide(words, at + CONTRIBUTED),
    contributedSeedAtoms: readWide(words, at + CONTRIBUTED_SEED),
    initialCostAtoms: readWide(words, at + INITIAL_COST),
    totalContributions: words[at + POT_CONTRIBUTIONS]!,
  };
}
