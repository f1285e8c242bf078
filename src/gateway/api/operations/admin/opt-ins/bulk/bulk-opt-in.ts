import type * as z from 'zod';
import type { ErrorCode } from '../../../../../../contracts/errors/codes.ts';
import {
  bulkOptInErrors,
  bulkOptIns,
  bulkOptInsCsv,
  maxBulkOptIns,
} from '../../../../../../contracts/jackpots/opt-in.ts';
import { nextTurn } from '../../../../../../lib/turns.ts';
import { PublicError } from '../../../../../base/errors.ts';
import { proposedChange } from '../../../../approvals/propose.ts';
import { defineChange, type GatewayContext } from '../../../../operation/operation.ts';
import { type AskedRow, RowJudge, rowsOfLists, rowsOfTable } from './rows.ts';
import { bulkDeadlineMs, chunksOf, type SentRow, sendRows } from './send.ts';

/** Rows that are judged in one turn of the event loop. */
const judgedAtOnce = 1_000;

/**
 * A25: opts many players in and out, as A24 without country and value. A refused row has an error and stops
 * no other one. Repeating an upload makes the same moves again. Opting players in needs approval.
 */
export const bulkOptInOperation = defineChange('opt_in', {
  id: 'A25',
  name: 'Bulk opt-in and opt-out',
  route: 'POST /config/opt-ins/bulk',
  input: { body: bulkOptIns, csv: bulkOptInsCsv },
  output: bulkOptInErrors,
  limits: { bodyBytes: 5 * 1024 * 1024, bulk: true },
  fourEyes: true,
  async handle(request, context) {
    const { principal, body, table } = request;
    if ((table ?? null) === null && itemsOf(body) > maxBulkOptIns) throw new PublicError('payload_too_large');
    if (!context.bulkUploads.admit(principal)) throw new PublicError('overloaded');
    try {
      const untilMs = context.clock.elapsedMs() + bulkDeadlineMs;
      const errors: Record<string, ErrorCode> = {};
      const report = ({ key }: { readonly key: string }, code: ErrorCode): void => {
        errors[key] ??= code;
      };
      const asked = table === null || table === undefined ? rowsOfLists(body) : rowsOfTable(table);
      const ofLane = await byLane(asked, new RowJudge(context.directory, principal), report);
      const proposed = await proposedChange(context, request, ownersOfOptIns(context, ofLane));
      if (proposed !== null) return proposed;
      const pots = (instance: string): number =>
        context.directory.known(instance)?.configuration.pots.length ?? 1;
      await Promise.all(
        [...ofLane].map(([lane, rows]) =>
          sendRows(context, lane, chunksOf(rows, pots), { user: principal.subject, untilMs, report }),
        ),
      );
      return { status: 200, body: { errors } };
    } finally {
      context.bulkUploads.leave(principal);
    }
  },
});

function itemsOf(lists: z.output<typeof bulkOptIns>): number {
  return lists.reduce((sum, { opt_ins, opt_outs }) => sum + opt_ins.length + opt_outs.length, 0);
}

/** Whose rules are asked: those of the instances and of the brands whose players are opted in. */
function ownersOfOptIns(
  { directory }: GatewayContext,
  ofLane: ReadonlyMap<number, readonly SentRow[]>,
): readonly string[] {
  const owners = new Set<string>();
  for (const rows of ofLane.values()) {
    for (const { instance, brand, optIn } of rows) {
      if (!optIn) continue;
      owners.add(brand);
      owners.add(directory.known(instance)?.description.owner ?? brand);
    }
  }
  return [...owners];
}

/** The rows that may be sent, by their lanes and in order. */
async function byLane(
  asked: Iterable<AskedRow>,
  judge: RowJudge,
  report: (row: AskedRow, code: ErrorCode) => void,
): Promise<ReadonlyMap<number, readonly SentRow[]>> {
  const ofLane = new Map<number, SentRow[]>();
  let judged = 0;
  for (const row of asked) {
    judged += 1;
    if (judged % judgedAtOnce === 0) await nextTurn();
    const verdict = judge.judge(row);
    if (typeof verdict === 'string') {
      report(row, verdict);
      continue;
    }
    const { known, brand } = verdict;
    const { key, instance, player, currency, optIn } = row;
    const rows = ofLane.get(known.lane) ?? [];
    rows.push({ key, instance, brand, player, currency, optIn });
    ofLane.set(known.lane, rows);
  }
  return ofLane;
}
