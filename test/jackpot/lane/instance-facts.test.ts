import { expect, test } from 'vitest';
import {
  instanceFacts,
  restoreInstance,
  type StoredInstance,
} from '../../../src/jackpot/lane/snapshots/instance-facts.ts';
import { parseConfiguration } from '../../../src/jackpot/rules/configuration/parse.ts';
import { Instance } from '../../../src/jackpot/state/instance/instance.ts';
import { frame, unframe } from '../../../src/lib/json-chunks.ts';
import { threePots } from '../support/configurations.ts';
import { testHashing } from '../support/hashing.ts';

/** The constructor makes these of what is stored, and other tests compare what they hold. */
type Made =
  | 'facts'
  | 'configuration'
  | 'pots'
  | 'balances'
  | 'epochs'
  | 'players'
  | 'winners'
  | 'raffle'
  | 'currencies';
/** They follow from the others, or are of the message at hand or of this process alone. */
type Derived = 'id' | 'idHash' | 'saved' | 'enabledMask' | 'quotes' | 'admittedBrand' | 'captured';
type Method = 'bindPending' | 'refresh' | 'potIndex';
type Field = Exclude<keyof Instance, Made | Derived | Method>;

/** tsc stops whoever adds a field without a value here; none may be that of a new instance. */
const changed: { readonly [K in Field]: Instance[K] } = {
  name: 'Name',
  description: 'Description',
  status: 'Paused',
  suspended: true,
  reason: 'a reason',
  resumedMs: 3,
  version: 4,
  lastUpdatedMs: 5,
  sequence: 6,
  counter: 7,
  links: ['campaign'],
  switchedTo: 'next',
  switchedFrom: 'former',
  switchOrder: {
    target: 'next',
    rules: [],
    transferOptIns: true,
    override: true,
    reason: 'a reason',
    user: 'admin',
    step: 8,
    nextRow: 9,
    end: null,
  },
  takingBackFrom: 10,
  switching: { step: 11, unannouncedBindings: [], unannouncedInstances: ['former'], nextRow: 12 },
  pendingConfiguration: configurationOf('USD'),
  flush: {
    flushId: 'flush',
    instance: 'jackpot',
    endpoint: 'https://wallet.test',
    accountId: 'account',
    amountAtoms: 13n,
    currency: 'EUR',
    openedMs: 14,
  },
  flushes: 15,
  hasRebound: true,
  isSpent: true,
};

test('a snapshot brings back every field of an instance', () => {
  const instance = Object.assign(newInstance(), changed);
  const { facts } = unframe(frame(instanceFacts(instance)));
  const restored = restoreInstance(facts as StoredInstance, instance.balances, testHashing);
  for (const name of Object.keys(changed) as Field[]) {
    expect([name, plain(newInstance()[name])]).not.toEqual([name, plain(changed[name])]);
    expect([name, plain(restored[name])]).toEqual([name, plain(changed[name])]);
  }
});

function newInstance(): Instance {
  const facts = {
    id: 'jackpot',
    group: 'group',
    owner: 'operator',
    templateOwner: 'operator',
    template: 'template',
    gameCode: 'game',
    createdMs: 1,
    startMs: null,
    endMs: null,
  };
  return new Instance(facts, configurationOf('EUR'), testHashing);
}

function configurationOf(currency: string) {
  const parsed = parseConfiguration(threePots({ currency }));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  return parsed.configuration;
}

/** Without the functions of a configuration's rules. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each)));
}
