import { type Document, Reader, readKinds } from '../../../lib/document-reader.ts';
import type { PotConfiguration } from '../../state/configuration/configuration.ts';
import type { Trigger } from '../../state/configuration/trigger.ts';
import { maxTimeTriggers } from '../../state/money/accounts.ts';
import { potTypes } from '../kinds/pot-types/index.ts';
import { winConstraints } from '../kinds/win-constraints.ts';
import { checkMustDrop, limitsOf } from './limits.ts';
import { readPayout } from './payout.ts';
import { readCriteria } from './rules.ts';
import { noShare, readPart } from './shares.ts';

const maxTriggersPerPot = 16;

/** One of `pots`. By default enabled, progressive, without seeds, limits, triggers and shares of others. */
export function readPot(document: Document, path: string, faults: string[]): PotConfiguration {
  const pot = new Reader(document, path, faults);
  const seeds = pot.child('seed_strategy');
  const triggers = readTriggers(pot);
  const maxAtoms = pot.raw('maximum_pot_value') === '' ? null : pot.amount('maximum_pot_value', null);
  const read: PotConfiguration = {
    id: pot.text('id', null),
    document,
    enabled: pot.flag('enabled', true),
    share: readPart(pot, 'contribution', null),
    seedShare: readPart(pot, 'seed_contribution', noShare),
    isProgressive: pot.flag('is_progressive', true),
    initialSeedAtoms: seeds.amount('initial_seed_value', 0n) ?? 0n,
    minReseedAtoms: seeds.amount('min_reseed_value', 0n) ?? 0n,
    fundStrategy: seeds.oneOf(
      'fund_strategy',
      ['CollectToMinReseed', 'CollectAll', 'HouseFunded'],
      'CollectToMinReseed',
    ),
    reseedStrategy: seeds.oneOf('reseed_strategy', ['Full', 'Minimum', 'Collected'], 'Full'),
    criteria: readCriteria(pot.child('criteria')),
    maxAtoms,
    ...limitsOf({ maxAtoms, triggers }),
    triggers,
    constraints: readKinds(pot, 'win_constraints', winConstraints, (kind, name, value, path) =>
      kind.read(new Reader({ [name]: value }, path, faults)),
    ),
    ...readPayout(pot.child('payout_ruleset')),
    supportsExternalTrigger: triggers.some((trigger) => trigger.external),
  };
  checkMaximum(pot, read);
  checkMustDrop(pot, read);
  return read;
}

function readTriggers(pot: Reader): readonly Trigger[] {
  if (pot.list('pot_types').length > maxTriggersPerPot) {
    pot.fault('pot_types', `must not be more than ${maxTriggersPerPot}`);
  }
  let windows = 0;
  const triggers = readKinds(pot, 'pot_types', potTypes, (kind, name, parameters, path) => {
    const trigger = kind.read(new Reader(parameters, `${path}.${name}`, pot.faults), windows);
    if (trigger.windows !== null) windows += 1;
    return trigger;
  });
  if (windows > maxTimeTriggers) {
    pot.fault('pot_types', `must not hold more than ${maxTimeTriggers} of kind Time`);
  }
  return triggers.slice(0, maxTriggersPerPot);
}

function checkMaximum(pot: Reader, { maxAtoms, initialSeedAtoms, minReseedAtoms }: PotConfiguration): void {
  if (maxAtoms === null) return;
  if (maxAtoms === 0n) pot.fault('maximum_pot_value', 'must be above zero');
  if (initialSeedAtoms > maxAtoms || minReseedAtoms > maxAtoms) {
    pot.fault('seed_strategy', 'must not start or reseed above maximum_pot_value');
  }
}
