import * as z from 'zod';
import { brandField, ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { isWithin, operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import { instanceBrandChange } from '../../../../../contracts/jackpots/pot-changes.ts';
import { isUnapproved } from '../../../../../directory/four-eyes/configuration-change.ts';
import type {
  InstanceConfigurationDocument,
  SetBrandAllowed,
  SetParameters,
} from '../../../../../messages/instance-commands.ts';
import type { CommandOutcome } from '../../../../../messages/outcomes.ts';
import type { InstanceDescription } from '../../../../../messages/records.ts';
import { PublicError } from '../../../../base/errors.ts';
import { stored } from '../../../../base/stored.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { defineChange, type GatewayContext } from '../../../operation/operation.ts';
import { expectedVersion, requireVersion } from '../shared/expected-version.ts';
import { describeInstance, requireSuccess } from '../shared/lane-answers.ts';
import { requireAllowed, requireInstance, requireSameId } from '../shared/owner-access.ts';

/** How often a change without If-Match is tried again because another one came between. */
const maxTries = 20;

/**
 * A23: a brand may contribute to the instance, or no longer may. Taking back all that A23 changed of an
 * instance without a list leaves it without one. A Pending instance without a clock needs no approval.
 */
export const allowBrandOperation = brandOperation('PUT', true);
export const disallowBrandOperation = brandOperation('DELETE', false);

function brandOperation(method: 'PUT' | 'DELETE', allowed: boolean) {
  return defineChange('operate', {
    id: 'A23',
    name: allowed ? 'Allow a brand on an instance' : 'Disallow a brand on an instance',
    route: `${method} /config/instances/{instance_id}/brands/{brand_id}`,
    input: {
      params: z.strictObject({ instance_id: ownIdField, brand_id: brandField }),
      body: instanceBrandChange.nullish(),
    },
    refusals: [404, 409],
    headers: ['If-Match'],
    fourEyes: true,
    async handle(request, context) {
      const { principal, params, body, headers, approved } = request;
      requireSameId(body?.instance_id, params.instance_id);
      const version = expectedVersion(headers);
      const known = requireInstance(context, principal, 'operate', params.instance_id);
      const { entries } = context.directory;
      const operator = operatorOf(known.description.owner);
      const brand = entries.brandPath(params.brand_id, operator);
      if (brand === null) throw new PublicError('brand_not_found');
      requireAllowed(principal, 'operate', brand, 'brand_not_found');
      const inBody = body?.brand_id ?? null;
      if (inBody !== null && entries.brandPath(inBody, operator) !== brand)
        throw new PublicError('invalid_request');
      for (let left = version === null && approved === null ? maxTries : 1; ; left -= 1) {
        const current = await describeInstance(context, known.lane, params.instance_id);
        const fence = (await approved?.fence('version', current.version)) ?? current.version;
        requireVersion(version, fence);
        if (fence !== current.version) {
          // An earlier attempt has changed the list, or another administrator has.
          if (isAllowed(current, brand) !== allowed) throw new PublicError('version_conflict');
          return { status: 204 };
        }
        const change = await brandsCommand(context, current, { brand, allowed, user: principal.subject });
        if (change === null) return { status: 204 };
        const owners = [current.owner, brand];
        const isNeeded = () => !isUnapproved(current);
        const proposed = await proposedChange(context, request, owners, { isNeeded });
        if (proposed !== null) return proposed;
        const answer = await context.lanes.send(known.lane, change.command);
        const { outcome } = answer;
        if (left > 1 && outcome.kind === 'Refused' && outcome.code === 'version_conflict') continue;
        requireSuccess(answer);
        if (change.altered !== null) await rememberBrands(context, known.lane, outcome, change.altered);
        return { status: 204 };
      }
    },
  });
}

/**
 * An instance without a list allows all of its owner's brands; the first A23 writes them out. KV DIRECTORY
 * has which brands A23 has altered since, and the list that this left: while it is the instance's, taking the
 * last of them back removes it.
 */
const altered = z.strictObject({ v: z.literal(1), list: z.array(z.string()), altered: z.array(z.string()) });

interface BrandChange {
  readonly brand: string;
  readonly allowed: boolean;
  readonly user: string;
}

const open: ReadonlySet<string> = new Set(['Pending', 'Active', 'Paused']);

/** The command of a change (null: none), and the brands A23 has altered (null: the list was written). */
async function brandsCommand(
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
function isAllowed(current: InstanceDescription, brand: string): boolean {
  return listOf(current)?.includes(brand) ?? isWithin(brand, current.owner);
}

/** Keeps what the change has made of the list, unless another change came after it. */
async function rememberBrands(
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

/** null: an administrator wrote the list. */
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
