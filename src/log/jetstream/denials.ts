import { PermissionViolationError } from '@nats-io/nats-core';

/** Denials reported for one connection: more lines would hide the first. */
const maxReported = 64;

/**
 * Reports each subject that nats-server denies this process once, as an error in its log. Either a grant is
 * missing in roles/permissions.ts, or the process is misused.
 */
export class Denials {
  readonly #reported = new Set<string>();

  noticed(error: Error): void {
    if (!(error instanceof PermissionViolationError)) return;
    const what = `${error.operation} ${kindOf(error.subject)}`;
    if (this.#reported.has(what) || this.#reported.size >= maxReported) return;
    this.#reported.add(what);
    process.emitWarning(`nats-server denies this process to ${verbOf(error)} ${error.subject}.`, {
      code: 'POTSTREAM_NATS_PERMISSION_DENIED',
    });
  }
}

function verbOf({ operation }: PermissionViolationError): string {
  return operation === 'publish' ? 'publish to' : 'subscribe to';
}

/** The names of inboxes and consumers differ each time. */
function kindOf(subject: string): string {
  return subject.split('.').slice(0, 5).join('.');
}
