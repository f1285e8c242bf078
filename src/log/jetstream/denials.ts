import { PermissionViolationError } from '@nats-io/nats-core';

/** What else is denied on one connection is not told any more: a flood of lines would hide the first. */
const maxReported = 64;

/**
 * What nats-server does not let this process do. Either a grant is missing in roles/permissions.ts, or somebody does with this
 * process what is not its work: each subject is told once, and the process' log shows it as an error.
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

/** Inboxes and consumers have names of their own each time. */
function kindOf(subject: string): string {
  return subject.split('.').slice(0, 5).join('.');
}
