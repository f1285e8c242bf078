import { setTimeout as sleep } from 'node:timers/promises';
import { createInbox, type NatsConnection, PermissionViolationError } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { crash } from '../../lib/crash.ts';
import { LogError } from '../../ports.ts';
import { inboxPrefix } from '../base/names.ts';
import type { LogSettings } from '../roles/settings.ts';
import { connectionOptions, serverAddress } from './connection-options.ts';
import { RefusedCredentials } from './refused-credentials.ts';
import { choiceOf } from './server-choice.ts';
import { ServerProbe } from './server-probe.ts';

const unnamedRole = 'any';
/** The default of servers that do not name a limit. */
const defaultMaxBytes = 1024 * 1024;
const firstConnectWithinMs = 20_000;
const firstConnectPauseMs = 200;

/** A connection that reconnects for ever and knows whether it is up. */
export class LogConnection {
  readonly nats: NatsConnection;
  readonly #inboxOwner: string;
  readonly #denials = new Denials();
  readonly #refused: RefusedCredentials;
  #up = true;
  #interruptions = 0;
  readonly #downListeners = new Set<() => void>();
  readonly #upListeners = new Set<() => void>();

  constructor(nats: NatsConnection, refused: RefusedCredentials, inboxOwner = unnamedRole) {
    this.nats = nats;
    this.#refused = refused;
    this.#inboxOwner = inboxOwner;
    this.#watchStatus().catch(crash);
  }

  get maxBytes(): number {
    return this.nats.info?.max_payload ?? defaultMaxBytes;
  }

  /** A new inbox of this role for answers to `question`; without it, for answers of nats-server. */
  newInbox(question?: string): string {
    return createInbox(inboxPrefix(this.#inboxOwner, question));
  }

  get up(): boolean {
    return this.#up;
  }

  get interruptions(): number {
    return this.#interruptions;
  }

  /** Calls `listener` when the connection breaks: pending answers will not come. Returns how to stop that. */
  onDown(listener: () => void): () => void {
    this.#downListeners.add(listener);
    return () => void this.#downListeners.delete(listener);
  }

  onUp(listener: () => void): () => void {
    this.#upListeners.add(listener);
    return () => void this.#upListeners.delete(listener);
  }

  async close(): Promise<void> {
    if (!this.nats.isClosed()) await this.nats.close();
    this.#refused.ended();
    this.#wentDown();
  }

  async #watchStatus(): Promise<void> {
    for await (const status of this.nats.status()) {
      if (status.type === 'disconnect' || status.type === 'close') this.#wentDown();
      if (status.type === 'reconnect') this.#wentUp();
      if (status.type === 'error') {
        this.#denials.noticed(status.error);
        this.#refused.noticed(status.error);
      }
    }
  }

  #wentDown(): void {
    if (!this.#up) return;
    this.#up = false;
    this.#interruptions += 1;
    for (const listener of [...this.#downListeners]) listener();
  }

  #wentUp(): void {
    this.#up = true;
    this.#refused.ended();
    for (const listener of [...this.#upListeners]) listener();
  }
}

/**
 * Connects, trying for 20 s.
 * @throws LogError `unavailable` if no server answers, `misconfigured` if it refuses the credentials
 */
export async function openConnection(settings: LogSettings, purpose: string): Promise<LogConnection> {
  const refused = new RefusedCredentials(userOf(settings));
  const options = connectionOptions(settings, purpose, refused);
  const deadlineMs = performance.now() + firstConnectWithinMs;
  for (;;) {
    try {
      const connection = new LogConnection(await connect(options), refused, settings.role);
      knowAll(connection.nats, settings.servers);
      const choice = choiceOf(settings);
      if (choice !== null) new ServerProbe(connection, options, choice).start();
      return connection;
    } catch (cause) {
      if (cause instanceof Error && /authoriz|authentic/i.test(`${cause.name} ${cause.message}`)) {
        throw new LogError(
          'misconfigured',
          'nats-server refuses the credentials: check POTSTREAM_NATS_USER and POTSTREAM_NATS_PASSWORD, or at the file that ' +
            'POTSTREAM_NATS_NKEY_FILE or POTSTREAM_NATS_CREDENTIALS_FILE names.',
          { cause },
        );
      }
      if (performance.now() > deadlineMs) {
        throw new LogError(
          'unavailable',
          `No nats-server answers at ${settings.servers.join(', ')}. Start it, or set POTSTREAM_NATS_URL to its address.`,
          { cause },
        );
      }
    }
    await sleep(firstConnectPauseMs);
  }
}

/** The client forgets servers that did not answer its first connection, as in a rolling restart. */
function knowAll(nats: NatsConnection, servers: readonly string[]): void {
  if (servers.length === 1) return;
  const named = servers.map((server) => serverAddress(server).host);
  const learnt = nats.getServers().map(({ listen }) => listen);
  nats.setServers([...new Set([...named, ...learnt])]);
}

function userOf({ credentials, role, user }: LogSettings): string {
  return (credentials?.kind === 'password' ? credentials.user : user) ?? role ?? unnamedRole;
}

/** Denials reported for one connection: more lines would hide the first. */
const maxReported = 64;

/**
 * Reports each subject that nats-server denies this process once, as an error in its log. Either a grant is
 * missing in roles/permissions.ts, or the process is misused.
 */
class Denials {
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
