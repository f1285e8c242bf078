import * as z from 'zod';
import { authorize } from '../../../../access/rights/authorize.ts';
import {
  bookedPlayerQuery,
  contributionParams,
  explanationQuery,
  playerParams,
  searchQuery,
} from '../../../../contracts/reports/queries.ts';
import {
  bookedChangeShape,
  bookedPlayerShape,
  type ChangeReport,
  explanationShape,
  searchShape,
} from '../../../../contracts/reports/rows.ts';
import { writeJson } from '../../../../lib/json.ts';
import { PublicError } from '../../../base/errors.ts';
import type { GatewayContext } from '../../operation/operation.ts';
import { askedBooks, waited } from '../../reports/answers.ts';
import { drawReport } from '../../reports/draws.ts';
import { type BooksReader, booksScope, readableBrand, seesInstance } from '../../reports/scope.ts';
import { defineReport } from './define-report.ts';

/** What became of a contribution, with the numbers of its draws once they are published. */
export const explainContributionReport = defineReport({
  id: 'contribution',
  name: 'Explain a contribution',
  path: '/contributions/{contribution_id}',
  input: { params: contributionParams, query: explanationQuery },
  output: explanationShape,
  answerHeaders: [],
  async handle({ principal, params: { contribution_id: id }, query }, context) {
    const where = [...booksScope(context, principal, {})];
    const missing = await waited(context, principal, query.wait);
    const answer = await askedBooks(context, principal, { kind: 'contribution', id, where });
    if (answer === null) throw new PublicError('route_not_found', 'The books have no such contribution.');
    const { found, headers } = answer;
    const draws = [];
    for (const draw of found.draws) draws.push(await drawReport(context, principal, draw));
    return {
      status: 200,
      headers: [...headers, ...missing],
      text: `${found.body.slice(0, -1)},"draws":${writeJson(draws)}}`,
    };
  },
});

/** A player of a brand: totals, and the newest of each list. Who is not known has empty ones. */
export const readPlayerReport = defineReport({
  id: 'player',
  name: 'Look a player up',
  path: '/players/{player_id}',
  input: { params: playerParams, query: bookedPlayerQuery },
  output: bookedPlayerShape,
  answerHeaders: [],
  async handle({ principal, params: { player_id: player }, query }, context) {
    booksScope(context, principal, {});
    const brand = readableBrand(context, principal, query.brand_id);
    const missing = await waited(context, principal, query.wait);
    const answer = await askedBooks(context, principal, { kind: 'player', brand, player });
    if (answer === null) throw new PublicError('route_not_found');
    return { status: 200, headers: [...answer.headers, ...missing], text: answer.found.body };
  },
});

/** What has this id: contribution, game round, transaction, batch, player, instance, request of a change. */
export const searchReport = defineReport({
  id: 'search',
  name: 'Search the books',
  path: '/search',
  input: { query: searchQuery },
  output: searchShape,
  answerHeaders: [],
  async handle({ principal, query }, context) {
    const where = [...booksScope(context, principal, query)];
    const missing = await waited(context, principal, query.wait);
    const answer = await askedBooks(context, principal, { kind: 'search', text: query.q, where });
    if (answer === null) throw new PublicError('route_not_found');
    const instances = writeJson(instancesWith(context, principal, query.q));
    const changes = writeJson(await changesBy(context, principal, query.q));
    return {
      status: 200,
      headers: [...answer.headers, ...missing],
      text: `${answer.found.body.slice(0, -1)},"instances":${instances},"changes":${changes}}`,
    };
  },
});

function instancesWith(context: GatewayContext, principal: BooksReader, id: string) {
  const known = context.directory.known(id);
  if (known === undefined || !seesInstance(context, principal, id)) return [];
  const { instance, owner, name, status } = known.description;
  return [{ instance_id: instance, owner_id: owner, name, status }];
}

/** Entries of the audit trail, shown to whom `GET /config/audit` would show them. */
async function changesBy(
  context: GatewayContext,
  principal: BooksReader,
  requestId: string,
): Promise<readonly ChangeReport[]> {
  if (principal.kind === 'service') return [];
  const answer = await askedBooks(context, principal, { kind: 'changes', requestId });
  const found = z.array(bookedChangeShape).parse(JSON.parse(answer?.found.body ?? '[]'));
  return found.filter(({ owners }) =>
    owners.every((each) => authorize(principal, 'audit', each) === 'allowed'),
  );
}
