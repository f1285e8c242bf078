import * as z from 'zod';
import { system } from '../../../../../access/rights/authorize.ts';
import type {
  BrandEntry,
  OperatorQuota,
  OperatorValue,
} from '../../../../../contracts/directory/directory.ts';
import { directoryKey } from '../../../../../contracts/directory/directory-keys.ts';
import {
  newOwners,
  operatorChange,
  operatorShape,
  ownersCreated,
} from '../../../../../contracts/directory/operator.ts';
import { ownerField, ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { brandOf, isOwnId, operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import { cursorQuery, matchesName, nameFilter } from '../../../../../contracts/fields/lists.ts';
import { changesRights } from '../../../../../directory/four-eyes/owner-change.ts';
import { noRule } from '../../../../../directory/four-eyes/rule.ts';
import type { OperatorEntry } from '../../../../../directory/owners.ts';
import { type Matches, named } from '../../../../../directory/sorted-page.ts';
import { PublicError } from '../../../../base/errors.ts';
import { requireApprovers } from '../../../approvals/accounts.ts';
import { fourEyesRule } from '../../../approvals/four-eyes.ts';
import { propose } from '../../../approvals/propose.ts';
import { createEntry, inParallel, readModelHas, updateEntry } from '../../../directory/write-entries.ts';
import { defineChange, defineRead } from '../../../operation/operation.ts';
import { onlyDisables } from '../../../operation/second-factor.ts';
import { listed, listedItems, listHeaders, listScope } from '../../lists.ts';
import { requireAllowed, requireOwner, requireSameId } from '../shared/owner-access.ts';

/** A2: operators that the caller may read, with their brands, filtered by owner and part of a name. */
export const listOperatorsOperation = defineRead('read', {
  id: 'A2',
  name: 'List operators',
  route: 'GET /config/operators',
  input: {
    query: cursorQuery(['id', 'name', 'enabled', 'created_timestamp'], {
      owner_id: ownerField.optional(),
      name: nameFilter,
    }),
  },
  output: z.array(operatorShape),
  refusals: [404],
  answerHeaders: listHeaders,
  async handle({ principal, query }, context) {
    if (query.owner_id !== undefined) requireOwner(context, principal, 'read', query.owner_id);
    const { entries } = context.directory;
    const { operators } = entries;
    const wanted = query.owner_id === undefined ? undefined : operatorOf(query.owner_id);
    const scope = listScope(principal, wanted, (operator: OperatorEntry) => operator.id);
    const { page, headers } =
      scope.group === null
        ? await listed(operators, 'id', query, { ...scope, text: named(query.name) })
        : await listedItems(
            onlyOne(operators.get(scope.group), scope.matches, query.name),
            'id',
            query,
            (operator) => operator.id,
          );
    return {
      status: 200,
      headers,
      body: page.map((operator) => operatorView(operator, entries.brandsOf(operator.id))),
    };
  },
});

function onlyOne(
  operator: OperatorEntry | undefined,
  matches: Matches<OperatorEntry>,
  name: string | undefined,
): OperatorEntry[] {
  if (operator === undefined || matches?.(operator) === false) return [];
  return matchesName(operator.name, name) ? [operator] : [];
}

/**
 * A3: creates operators, at most 1,000, for administrators of the whole system. Existing, malformed and
 * repeated ids are in `failed`.
 */
export const createOperatorsOperation = defineChange('configure', {
  id: 'A3',
  name: 'Create operators',
  route: 'POST /config/operators',
  input: { body: newOwners },
  output: ownersCreated,
  limits: { bodyBytes: 1024 * 1024 },
  async handle({ principal, body }, context) {
    requireAllowed(principal, 'configure', system, 'forbidden');
    const created_timestamp = context.clock.nowMs();
    const revisions = await inParallel(body, async ({ id, name }) => {
      if (!isOwnId(id)) return null;
      const value = { name, enabled: true, created_timestamp };
      return createEntry(context, 'operator', directoryKey.operator(id), value);
    });
    await readModelHas(context, Math.max(0, ...revisions.map((revision) => revision ?? 0)));
    const idsWhere = (created: boolean) =>
      body.filter((_, index) => (revisions[index] !== null) === created).map(({ id }) => id);
    return { status: 200, body: { success: idsWhere(true), failed: idsWhere(false) } };
  },
});

/** A4: an operator with its brands, rules and quota; a foreign one is `operator_not_found`. */
export const readOperatorOperation = defineRead('read', {
  id: 'A4',
  name: 'Get an operator',
  route: 'GET /config/operators/{operator_id}',
  input: { params: z.strictObject({ operator_id: ownIdField }) },
  output: operatorShape,
  refusals: [404],
  async handle({ principal, params }, context) {
    requireOwner(context, principal, 'read', params.operator_id);
    const { entries } = context.directory;
    const operator = entries.operators.get(params.operator_id);
    if (operator === undefined) throw new PublicError('operator_not_found');
    return { status: 200, body: operatorView(operator, entries.brandsOf(operator.id)) };
  },
});

/**
 * A6: an operator's name, state, visibility of jackpots, winners and draws, four-eyes rule, whether second
 * factors are required, and quota (docs/decisions/0065), which only the whole system's administrators set.
 * Under the rule all but the name, the quota, disabling and what is stricter needs approval, for which there
 * must be two (`approvers_missing`).
 */
export const changeOperatorOperation = defineChange('configure', {
  id: 'A6',
  name: 'Modify an operator',
  route: 'PATCH /config/operators/{operator_id}',
  input: { params: z.strictObject({ operator_id: ownIdField }), body: operatorChange },
  refusals: [404, 409],
  fourEyes: true,
  isHarmless: onlyDisables,
  async handle(request, context) {
    const { principal, params, body, approved } = request;
    requireSameId(body.operator_id, params.operator_id);
    requireOwner(context, principal, 'configure', params.operator_id);
    // An operator's administrators do not lift the limit that the system has set.
    if (body.quota) requireAllowed(principal, 'configure', system, 'forbidden');
    if (body.four_eyes?.enabled === true && approved === null) {
      const { enabled: isOn } = await fourEyesRule(context, params.operator_id);
      if (!isOn) await requireApprovers(context, params.operator_id);
    }
    const key = directoryKey.operator(params.operator_id);
    let isProposed = false;
    const revision = await updateEntry(context, 'operator', key, (current) => {
      if (current === null) throw new PublicError('operator_not_found');
      const changed = changedOperator(current, body);
      // Under the rule of the entry itself: it may have been turned on since.
      const isRuled = current.four_eyes?.enabled === true && approved === null;
      isProposed = isRuled && changesRights(current, changed);
      return isProposed ? null : changed;
    });
    if (isProposed) return propose(context, request, params.operator_id);
    await readModelHas(context, revision);
    return { status: 204 };
  },
});

function changedOperator(current: OperatorValue, body: z.output<typeof operatorChange>): OperatorValue {
  const { quota: currentQuota, ...others } = current;
  const quota = body.quota ? storedQuota(body.quota) : currentQuota;
  const four_eyes = body.four_eyes
    ? { enabled: body.four_eyes.enabled, limit: body.four_eyes.limit ?? null }
    : current.four_eyes;
  return {
    ...others,
    name: body.name ?? current.name,
    enabled: body.enabled ?? current.enabled,
    public_winners: body.public_winners ?? current.public_winners,
    public_feed: body.public_feed ?? current.public_feed,
    fairness: body.fairness ?? current.fairness,
    requires_second_factor: body.requires_second_factor ?? current.requires_second_factor,
    ...(four_eyes === undefined ? {} : { four_eyes }),
    ...(quota === undefined ? {} : { quota }),
  };
}

/** undefined: nothing is limited. */
function storedQuota(asked: {
  readonly contributions_per_second?: number | null | undefined;
  readonly bytes_per_second?: number | null | undefined;
}): OperatorQuota | undefined {
  const contributions_per_second = asked.contributions_per_second ?? null;
  const bytes_per_second = asked.bytes_per_second ?? null;
  if (contributions_per_second === null && bytes_per_second === null) return undefined;
  return { contributions_per_second, bytes_per_second };
}

/** An operator with its brands, as A2 and A4 show it. Paths: the operator's id, and `operator:brand`. */
function operatorView(operator: OperatorEntry, brands: readonly BrandEntry[]) {
  return {
    id: operator.id,
    path: operator.id,
    name: operator.name,
    enabled: operator.enabled,
    created_timestamp: operator.created_timestamp,
    brands: brands.map(brandView),
    ...publicSettings(operator),
    ...(operator.fairness === 'signed_in' ? { fairness: operator.fairness } : {}),
    four_eyes: operator.four_eyes ?? noRule,
    ...(operator.requires_second_factor === true ? { requires_second_factor: true } : {}),
    ...(operator.quota === undefined ? {} : { quota: operator.quota }),
  };
}

function brandView(brand: BrandEntry) {
  return {
    id: brandOf(brand.path) ?? brand.path,
    path: brand.path,
    name: brand.name,
    enabled: brand.enabled,
    created_timestamp: brand.created_timestamp,
    ...publicSettings(brand),
  };
}

function publicSettings({ public_winners, public_feed }: Pick<BrandEntry, 'public_winners' | 'public_feed'>) {
  return {
    ...(public_winners === true ? { public_winners: true } : {}),
    ...(public_feed === true ? { public_feed: true } : {}),
  };
}
