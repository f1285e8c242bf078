import { operatorOf } from '../../../contracts/fields/identifiers.ts';
import { publishedDraw } from '../../../contracts/reports/published-draw.ts';
import type { BookedDraw } from '../../../contracts/reports/questions.ts';
import type { DrawReport } from '../../../contracts/reports/rows.ts';
import { stored } from '../../base/stored.ts';
import type { GatewayContext } from '../operation/operation.ts';
import type { BooksReader } from './scope.ts';

/** The numbers of a contribution's draw, once its epoch is published. */
export async function drawReport(
  context: GatewayContext,
  principal: BooksReader,
  { instance_id: instance, epoch, sequence }: BookedDraw,
): Promise<DrawReport> {
  const draw = { instance_id: instance, epoch, sequence };
  const owner = context.directory.known(instance)?.description.owner ?? instance;
  const found = await context.readers.epochs.during(operatorOf(owner), principal.subject, () =>
    stored(() => publishedDraw((page) => context.epochDocument(instance, epoch, page), sequence)),
  );
  if (found === null) return { ...draw, proof: null, triggers: null };
  const { page, triggers } = found;
  const path = `/v1/fairness/instances/${instance}/epochs/${epoch}`;
  return {
    ...draw,
    proof: page === 0 ? path : `${path}?page=${page}`,
    triggers,
  };
}
