import * as z from 'zod';
import { isWithin } from '../../../../../contracts/fields/identifiers.ts';
import type {
  InstanceConfigurationDocument,
  SetBrandAllowed,
  SetParameters,
} from '../../../../../messages/instance-commands.ts';
import type { CommandOutcome } from '../../../../../messages/outcomes.ts';
import type { InstanceDescription } from '../../../../../messages/records.ts';
import { stored } from '../../../../base/stored.ts';
import type { GatewayContext } from '../../../operation/operation.ts';
import { describeInstance } from '../shared/lane-answers.ts';

/**
 * An instance without a list of brands allows all of its owner's, those to come included; the first A23 writes the list of them
 * out. KV DIRECTORY has beside it which brands A23 has altered since, and the list that this left: while it is the
 * instance's, taking the last of them back removes the list.
 */
const altered = z.strictObject({ v: z.literal(1), list: z.array(z.string()), altered: z.array(z.string()) });

interface BrandChange {
  readonly brand: string;
  readonly allowed: boolean;
  readonly user: string;
}

const open: ReadonlySet<string> = new Set(['Pending', 'Active', 'Paused']);

/** The command of a change, and the brands that A23 has altered with it (null: somebody wrote the list); null: nothing changes. */
export async function brandsCommand(
  context: GatewayContext,
  current: InstanceDescription,
  { brand, allowed, user }: BrandChange,
): Promise<{
  readonly command: SetBrandAllowed | SetParameters;
  readonly altered: ReadonlySet<string> | null;
} | null> {
  const { instance, owner, version: expectedVersion } = current;
  const change: SetBrandAllowed = {
    kind: 'SetBrandAllowed',
    instance,
    brand,
    allowed,
    user,
    expectedVersion,
  };
  const before = await alteredBrands(context, current);
  // The lane refuses it.
  if (before === null || !open.has(current.status)) return { command: change, altered: null };
  const after = new Set(before);
  if (allowed === isWithin(brand, owner)) after.delete(brand);
  else after.add(brand);
  if (after.size > 0) return { command: change, altered: after };
  if (before.size === 0) return null;
  const { allowed_brands: _, ...contribution_rules } = storedOf(current).contribution_rules;
  const configuration = { ...storedOf(current), contribution_rules };
  return {
    command: { kind: 'SetParameters', instance, configuration, reason: '', user, expectedVersion },
    altered: null,
  };
}

/** Whether the configuration that was stored last allows the brand. */
export function isAllowed(current: InstanceDescription, brand: string): boolean {
  return listOf(current)?.includes(brand) ?? isWithin(brand, current.owner);
}

/** Keeps what the change has made of the list. Where another one came behind it, the list counts as written by somebody. */
export async function rememberBrands(
  context: GatewayContext,
  lane: number,
  outcome: CommandOutcome,
  brands: ReadonlySet<string>,
): Promise<void> {
  if (outcome.kind !== 'Done') return;
  const current = await describeInstance(context, lane, outcome.instance);
  const list = listOf(current);
  if (current.version !== outcome.version || list === null) return;
  const value = Buffer.from(JSON.stringify({ v: 1, list, altered: [...brands] }), 'utf8');
  const { directory } = context.tables;
  const key = keyOf(outcome.instance);
  await stored(async () => directory.put(key, value, (await directory.get(key))?.revision ?? 0));
}

/** null: somebody wrote the list. */
async function alteredBrands(
  { tables }: GatewayContext,
  current: InstanceDescription,
): Promise<ReadonlySet<string> | null> {
  const list = listOf(current);
  if (list === null) return new Set();
  const entry = await stored(() => tables.directory.get(keyOf(current.instance)));
  if (entry === null) return null;
  const kept = altered.parse(JSON.parse(Buffer.from(entry.value).toString('utf8')));
  return sameList(kept.list, list) ? new Set(kept.altered) : null;
}

function storedOf({ configuration, pendingConfiguration }: InstanceDescription) {
  return (pendingConfiguration ?? configuration) as InstanceConfigurationDocument;
}

function listOf(current: InstanceDescription): readonly string[] | null {
  const { allowed_brands: list } = storedOf(current).contribution_rules;
  return (list as readonly string[] | null | undefined) ?? null;
}

function sameList(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((brand, index) => brand === right[index]);
}

/** No reader of the directory knows the kind. */
const keyOf = (instance: string) => `brandlist.${instance}`;
