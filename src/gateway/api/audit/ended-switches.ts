import { createHash } from 'node:crypto';
import type { AuditResult, AuditSubject } from '../../../audit/trail.ts';
import { AuditUnavailable } from '../../../audit/writer.ts';
import { errorStatus } from '../../../contracts/errors/codes.ts';
import type { InstanceDescription, SwitchEnd, SwitchProgress } from '../../../messages/records.ts';
import { isErrorCode } from '../../base/errors.ts';
import type { GatewayContext } from '../operation/operation.ts';

const everyMs = 5_000;
/** Older ones were recorded, or no gateway ran for a day. */
const maxAgeMs = 24 * 3_600_000;
const idBytes = 12;

type Report = (error: unknown) => void;

/**
 * Records the ends of switches that outlast their command (docs/rules/audit.md "Entries"). Every gateway
 * looks, so the one that began a switch may be gone. Returns how to stop it.
 */
export function recordEndedSwitches(context: GatewayContext, report: Report): () => Promise<void> {
  const recorder = new EndedSwitches(context);
  let isStopped = false;
  let round: Promise<unknown> = Promise.resolve();
  let cancel = (): void => {};
  const next = (): void => {
    if (isStopped) return;
    cancel = context.clock.after(everyMs, () => {
      round = recorder.record().catch(report).then(next);
    });
  };
  next();
  return async () => {
    isStopped = true;
    cancel();
    await round;
  };
}

/** The ends that the instances of the read model show, each recorded once. */
export class EndedSwitches {
  readonly #context: GatewayContext;
  /** By source: when the switch ended that is recorded. */
  readonly #recorded = new Map<string, number>();
  #structure = -1;

  constructor(context: GatewayContext) {
    this.#context = context;
  }

  /** Records what has ended since; an outage of the trail leaves it for the next time. */
  async record(): Promise<void> {
    const { clock, directory } = this.#context;
    const { structure } = directory;
    if (structure === this.#structure) return;
    const sinceMs = clock.nowMs() - maxAgeMs;
    for (const [, { description }] of directory.lanes.instances) {
      const { switch: last, instance } = description;
      const end = last?.end ?? null;
      // Who cancels has an entry of their own.
      if (last === undefined || end === null || end.outcome === 'cancelled' || end.atMs < sinceMs) continue;
      if (this.#recorded.get(instance) === end.atMs) continue;
      try {
        await this.#recordOne(description, last, end);
      } catch (error) {
        if (error instanceof AuditUnavailable) return;
        throw error;
      }
      this.#recorded.set(instance, end.atMs);
    }
    this.#structure = structure;
  }

  #recordOne(source: InstanceDescription, last: SwitchProgress, end: SwitchEnd): Promise<void> {
    const { audit, directory } = this.#context;
    const target = directory.known(last.target)?.description;
    const subject: AuditSubject = {
      request_id: '',
      operation: 'A29',
      method: 'POST',
      path: '/config/model-switch/execute',
      user: last.user,
      address: '',
      owners: [...new Set([source.owner, ...(target === undefined ? [] : [target.owner])])],
      reason: last.reason,
      approval: null,
    };
    return audit.recordOnce(
      idOf(source.instance, last.target, end.atMs),
      subject,
      resultOf(source, last, end),
    );
  }
}

function resultOf({ instance }: InstanceDescription, last: SwitchProgress, end: SwitchEnd): AuditResult {
  const { target, copied, total } = last;
  const change = (after: object) => ({ object: `switch of instance ${instance}`, before: { target }, after });
  if (end.outcome === 'done') {
    const changes = [change({ switched_to: target, copied, total })];
    return { outcome: 'applied', status: 204, code: null, changes };
  }
  const { code, message } = end;
  const status = isErrorCode(code) ? errorStatus[code] : 422;
  return { outcome: 'refused', status, code, changes: [change({ code, message, copied, total })] };
}

/** The same in every gateway. */
function idOf(source: string, target: string, atMs: number): string {
  const name = `switch ${source} ${target} ${atMs}`;
  return createHash('sha256').update(name).digest().subarray(0, idBytes).toString('base64url');
}
