import type { Approval } from '../../../access/approvals.ts';
import { operatorOf } from '../../../contracts/fields/identifiers.ts';
import { PublicError } from '../../base/errors.ts';
import { nextRequestId } from '../../base/request-id.ts';
import { stored } from '../../base/stored.ts';
import type { GatewayContext } from '../operation/operation.ts';
import { claimMs, executeApproved } from './execute.ts';
import { requireApprovals } from './propose.ts';

const everyMs = 5_000;
/** Changes of an operator in one round; the others follow in the next. */
const maxResumed = 4;

/**
 * Takes up approved changes whose execution broke off. One gateway claims each; an execution changes nothing
 * twice. Returns how to stop it.
 */
export function resumeApproved(context: GatewayContext, report: Report): () => Promise<void> {
  if (context.access.approvals === null) return async () => {};
  const resumer = { stopped: false };
  let round: Promise<unknown> = Promise.resolve();
  let cancel = (): void => {};
  const next = (): void => {
    if (resumer.stopped) return;
    cancel = context.clock.after(everyMs, () => {
      round = resumeRound(context, report, resumer).catch(report).then(next);
    });
  };
  next();
  return async () => {
    resumer.stopped = true;
    cancel();
    await round;
  };
}

type Report = (error: unknown) => void;

/** Executes unclaimed approved changes, of an operator one after the other. Reports bugs. */
export async function resumeRound(
  context: GatewayContext,
  report: Report,
  resumer: { readonly stopped: boolean } = { stopped: false },
): Promise<void> {
  const nowMs = context.clock.nowMs();
  const approved = [...requireApprovals(context).approved()];
  const ofOperators = new Map<string, string[]>();
  for (const { id, owner, claimed_until } of approved) {
    const operator = operatorOf(owner);
    const own = ofOperators.get(operator) ?? [];
    if (claimed_until < nowMs && own.length < maxResumed) ofOperators.set(operator, [...own, id]);
  }
  const resumeAll = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) if (!resumer.stopped) await resume(context, id, nowMs, report);
  };
  await Promise.all([...ofOperators.values()].map(resumeAll));
}

async function resume(context: GatewayContext, id: string, nowMs: number, report: Report): Promise<void> {
  try {
    const claimed = await claim(context, id, nowMs);
    // Without a certain result it stays approved, and a later round tries again.
    if (claimed !== null) await executeApproved(context, claimed, nextRequestId());
  } catch (error) {
    if (!(error instanceof PublicError)) report(error);
  }
}

function claim(context: GatewayContext, id: string, nowMs: number): Promise<Approval | null> {
  return stored(() =>
    requireApprovals(context).change(id, ({ state, claimed_until, attempts }) =>
      state === 'approved' && claimed_until < nowMs
        ? { claimed_until: nowMs + claimMs, attempts: attempts + 1 }
        : null,
    ),
  );
}
