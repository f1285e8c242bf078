import { addFractions, compareFractions, ONE, ZERO } from '../../lib/fraction.ts';
import { potTypes } from '../kinds/pot-types/index.ts';
import type { Trigger } from '../kinds/pot-types/trigger.ts';
import { type WinConstraint, winConstraints } from '../kinds/win-constraints/index.ts';
import type { Document, PotConfiguration } from './configuration.ts';
import { oneMember, Reader } from './reader.ts';
import { readCriteria } from './rules.ts';
import { NO_SHARE, readPart } from './shares.ts';

const MAXIMUM_TRIGGERS_PER_POT = 16;

/**
 * One of `pots`. Defaults: enabled, progressive, no seed share, seeds of zero, CollectToMinReseed, Full, no criteria, no
 * maximum, no triggers (then only raised, never drawn), everything to the main winner, no fee.
 */
export function readPot(document: Document, path: string, faults: string[]): PotConfiguration {
  const pot = new Reader(document, path, faults);
  const seeds = pot.child('seed_strategy');
  const triggers = readTriggers(pot);
  const maximumAtoms = pot.raw('maximum_pot_value') === '' ? null : pot.amount('maximum_pot_value', null);
  const initialSeedAtoms = seeds.amount('initial_seed_value', 0n) ?? 0n;
  const minReseedAtoms = seeds.amount('min_reseed_value', 0n) ?? 0n;
  if (maximumAtoms === 0n) pot.fault('maximum_pot_value', 'must be above zero');
  if (maximumAtoms !== null && (initialSeedAtoms > maximumAtoms || minReseedAtoms > maximumAtoms)) {
    pot.fault('seed_strategy', 'must not start or reseed above maximum_pot_value');
  }
  return {
    id: pot.text('id', null),
    document,
    enabled: pot.flag('enabled', true),
    share: readPart(pot, 'contribution', null),
    seedShare: readPart(pot, 'seed_contribution', NO_SHARE),
    isProgressive: pot.flag('is_progressive', true),
    initialSeedAtoms,
    minReseedAtoms,
    fundStrategy: seeds.oneOf(
      'fund_strategy',
      ['CollectToMinReseed', 'CollectAll', 'HouseFunded'],
      'CollectToMinReseed',
    ),
    reseedStrategy: seeds.oneOf('reseed_strategy', ['Full', 'Minimum', 'Collected'], 'Full'),
    criteria: readCriteria(pot.child('criteria')),
    maximumAtoms,
    triggers,
    constraints: readConstraints(pot),
    ...readPayout(pot.child('payout_ruleset')),
    supportsExternalTrigger: triggers.some((trigger) => trigger.external),
  };
}

function readTriggers(pot: Reader): readonly Trigger[] {
  const entries = pot.list('pot_types');
  if (entries.length > MAXIMUM_TRIGGERS_PER_POT) {
    pot.fault('pot_types', `must not be more than ${MAXIMUM_TRIGGERS_PER_POT}`);
  }
  return entries.slice(0, MAXIMUM_TRIGGERS_PER_POT).flatMap((entry, index) => {
    const path = pot.at(`pot_types[${index}]`);
    const member = oneMember(entry);
    const kind = member === null ? undefined : own(potTypes, member[0]);
    if (member === null || kind === undefined) {
      pot.faults.push(`${path} must be an object with one key of ${Object.keys(potTypes).join(', ')}`);
      return [];
    }
    return [kind.read(new Reader(member[1], `${path}.${member[0]}`, pot.faults))];
  });
}

function readConstraints(pot: Reader): readonly WinConstraint[] {
  return pot.list('win_constraints').flatMap((entry, index) => {
    const path = pot.at(`win_constraints[${index}]`);
    const member = oneMember(entry);
    const kind = member === null ? undefined : own(winConstraints, member[0]);
    if (member === null || kind === undefined) {
      pot.faults.push(`${path} must be an object with one key of ${Object.keys(winConstraints).join(', ')}`);
      return [];
    }
    return [kind(new Reader(entry, path, pot.faults))];
  });
}

function readPayout(payout: Reader): Pick<PotConfiguration, 'mainWinnerPercentage' | 'adminFee'> {
  const mainWinnerPercentage = payout.fraction('main_winner_percentage', ONE);
  const adminFee = payout.fraction('admin_fee', ZERO);
  if (payout.list('payout_rules').length > 0) {
    payout.fault('payout_rules', 'are not supported yet: leave them out');
  }
  if (compareFractions(addFractions(mainWinnerPercentage, adminFee), ONE) > 0) {
    payout.fault('main_winner_percentage', 'and admin_fee must not exceed 1 together');
  }
  return { mainWinnerPercentage, adminFee };
}

function own<T>(table: Readonly<Record<string, T>>, kind: string): T | undefined {
  return Object.hasOwn(table, kind) ? table[kind] : undefined;
}
