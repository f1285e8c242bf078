import type { SetBrandAllowed } from '../../../src/messages/instance-commands.ts';
import { enablingFault } from './closed-pots.ts';
import { mayBegin, wantsBeacon } from './epoch.ts';
import type { OracleInstance } from './instance.ts';
import { canonical } from './jpd1.ts';
import type { OracleLane } from './lane.ts';
import { isOwnBrand } from './resolve.ts';
import { type Json, maxOf } from './rules.ts';
import { isSwitching } from './switch.ts';
import { announceInstance } from './told.ts';

/** Section 7: a pot's parameters bind at its next cycle, but a higher maximum at once; the instance's with the next epoch. */
export function setParameters(lane: OracleLane, instance: OracleInstance, document: Json): string {
  if (!['Pending', 'Active', 'Paused'].includes(instance.status)) return 'invalid_transition';
  const { epoch, status } = instance;
  const next = (epoch?.number ?? 0) + 1;
  if (status !== 'Pending' && wantsBeacon(instance) && !mayBegin(instance, next)) return 'invalid_transition';
  if (status === 'Pending' && isSwitching(lane, instance)) return 'switch_in_progress';
  const fault = status === 'Pending' ? null : enablingFault(instance, document);
  if (fault !== null) return fault;
  instance.version += 1;
  lane.touched.add(instance);
  if (instance.status === 'Pending') {
    instance.document = document;
    instance.pots.forEach((pot, i) => {
      pot.document = document.pots[i];
      pot.enabled = pot.document.enabled !== false;
    });
    announceInstance(lane, instance);
    return 'done';
  }
  instance.pending = document;
  instance.endRequested = true;
  instance.pots.forEach((pot, i) => {
    const next = document.pots[i] as Json;
    const [now, then] = [maxOf(pot.document), maxOf(next)];
    if (now !== null && (then === null || then > now)) {
      const { maximum_pot_value: _, ...rest } = pot.document;
      pot.document = then === null ? rest : { ...rest, maximum_pot_value: next.maximum_pot_value };
    }
    pot.pending = canonical(pot.document) === canonical(next) ? null : next;
  });
  announceInstance(lane, instance);
  return 'done';
}

/** A23: removing the last brand stores an explicit none; a list that was absent is written out. */
export function setBrandAllowed(
  lane: OracleLane,
  instance: OracleInstance,
  { brand, allowed }: SetBrandAllowed,
): string {
  if (!lane.brands.has(brand)) return 'brand_not_found';
  const stored = instance.pending ?? instance.document;
  const owned = [...lane.brands.keys()].filter((each) => isOwnBrand(instance.owner, each));
  const listed = (stored.contribution_rules.allowed_brands ?? owned) as readonly string[];
  const others = listed.filter((each) => each !== brand);
  return setParameters(lane, instance, {
    ...stored,
    contribution_rules: {
      ...stored.contribution_rules,
      allowed_brands: allowed ? [...others, brand] : others,
    },
    pots: instance.pots.map((pot) => pot.pending ?? pot.document),
  });
}
