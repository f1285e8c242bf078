import * as z from 'zod';
import { visibleOwners } from '../../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import { isBrandPath, operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import { defaultLimit } from '../../../../../contracts/fields/lists.ts';
import { type BooksCondition, between } from '../../../../../contracts/reports/conditions.ts';
import { deliveryTriesQuery } from '../../../../../contracts/reports/queries.ts';
import { deliveryTryShape, triedKinds } from '../../../../../contracts/reports/rows.ts';
import { defineRead } from '../../../operation/operation.ts';
import { askedBooks } from '../../../reports/answers.ts';
import { among, equal } from '../../../reports/scope.ts';
import { requireListed } from '../shared/owner-access.ts';

/**
 * Tries of callbacks, flushes and events, from the books: `result=delivered` has what was accepted, `event_id`
 * each try of one delivery. Best effort, kept for 35 days.
 */
export const listDeliveryTriesOperation = defineRead('read', {
  id: 'deliveries.tries',
  name: 'List tries of deliveries',
  route: 'GET /config/deliveries/tries',
  refusals: [404],
  input: { query: deliveryTriesQuery },
  output: z.array(deliveryTryShape),
  answerHeaders: ['X-As-Of', 'X-Next-Cursor', 'X-Total-Count'],
  async handle({ principal, query }, context) {
    requireListed(context, principal, query);
    const { owner_id: owner, event_id: event, kind, result, from, to, cursor = null } = query;
    const where = [
      ...ownTries(principal),
      ...(owner === undefined ? [] : ofOwner(owner)),
      ...between('time', from, to),
      ...(event === undefined ? [] : [equal('event_id', event)]),
      ...(kind === undefined ? [] : [equal('kind', triedKinds[kind])]),
      ...(result === undefined ? [] : [equal('result', result)]),
    ];
    const { sort_direction: direction = -1, limit = defaultLimit } = query;
    const list = { kind: 'list', of: 'callback_tries', where, direction, cursor, limit } as const;
    const answer = await askedBooks(context, principal, { ...list, counts: cursor === null });
    return { status: 200, headers: answer?.headers ?? [], text: answer?.found.body ?? '[]' };
  },
});

/** With the operators of brands, too: the index begins with them. */
function ownTries(principal: AdministratorPrincipal): readonly BooksCondition[] {
  const owners = visibleOwners(principal);
  if (owners.length === 0) return [];
  const operators = owners.filter((owner) => !isBrandPath(owner));
  return [
    among('operator', [...new Set(owners.map(operatorOf))]),
    { any: [...(operators.length === 0 ? [] : [among('operator', operators)]), among('owner', owners)] },
  ];
}

function ofOwner(owner: string): readonly BooksCondition[] {
  const ofOperator = equal('operator', operatorOf(owner));
  return isBrandPath(owner) ? [ofOperator, equal('owner', owner)] : [ofOperator];
}
