import type { z } from 'zod';
import type { OperationDescription, Shape } from '../../../../reference/operation-description.ts';
import type { Reply } from '../../../base/reply.ts';
import {
  defineOperation,
  defineRead,
  type GatewayContext,
  type Operation,
} from '../../operation/operation.ts';
import type { BooksReader } from '../../reports/scope.ts';

interface Report<Params extends Shape, Query extends Shape> {
  /** `wins`: reports.wins for administrators, reports.services.wins for services. */
  readonly id: string;
  readonly name: string;
  /** Below /config, and below /v1/reports, where /reports before it is left out. */
  readonly path: `/${string}`;
  readonly input: { readonly params?: Params; readonly query?: Query };
  readonly output: z.ZodType;
  readonly limits?: OperationDescription['limits'];
  /** Some of its administrators may not ask for all. */
  readonly refusals?: readonly [403];
  /** What the answer says beside how far the books are. */
  readonly answerHeaders: readonly ('X-Next-Cursor' | 'X-Total-Count')[];
  handle(
    request: {
      readonly principal: BooksReader;
      readonly params: z.output<Params>;
      readonly query: z.output<Query>;
    },
    context: GatewayContext,
  ): Promise<Reply>;
}

type NoInput = z.ZodType<Record<string, never>>;

/** A report for administrators, and the same for services with the right `reports`. */
export function defineReport<Params extends Shape = NoInput, Query extends Shape = NoInput>(
  report: Report<Params, Query>,
): readonly [administrators: Operation, services: Operation] {
  const { id, name, path, answerHeaders, refusals = [], ...others } = report;
  const common = {
    ...others,
    answerHeaders: ['X-As-Of', 'X-Incomplete', ...answerHeaders] as const,
  };
  return [
    defineRead('read', {
      ...common,
      ...{ id: `reports.${id}`, name, route: `GET /config${path}`, refusals: [...refusals, 404] },
    } as never),
    defineOperation({
      ...common,
      ...{ id: `reports.services.${id}`, name: `${name} (services)`, refusals: [403, 404] },
      route: `GET /v1/reports${path.replace(/^\/reports/, '')}`,
      surface: 'operator',
      authentication: { kind: 'service' },
    } as never),
  ];
}
