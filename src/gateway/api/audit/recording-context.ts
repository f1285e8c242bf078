import { type AuditChange, summaryOf } from '../../../audit/entry.ts';
import { directoryShapes } from '../../../contracts/directory/directory.ts';
import { parseDirectoryKey } from '../../../contracts/directory/directory-keys.ts';
import { decodeForgotten } from '../../../contracts/directory/forgotten-players.ts';
import { withoutSecrets } from '../../../contracts/fields/secrets.ts';
import type { Table } from '../../../ports.ts';
import type { LaneClient } from '../../lanes/lane-client.ts';
import type { GatewayContext } from '../operation/operation.ts';
import { withSend } from '../operation/with-send.ts';
import { commandChange, instanceChanges, instanceStates, instancesOf } from './lane-changes.ts';

const maxChanges = 200;
const maxParsedBytes = 24 * 1024;

/** The context of one audited request: what it writes is added to `changes`. */
export function recordingContext(context: GatewayContext, changes: AuditChange[]): GatewayContext {
  const add = (...more: readonly AuditChange[]): void => {
    changes.push(...more.slice(0, Math.max(0, maxChanges - changes.length)));
  };
  const { tables, lanes } = context;
  return {
    ...context,
    tables: {
      ...tables,
      directory: recordingTable(tables.directory, add),
      forgotten: recordingForgotten(tables.forgotten, add),
    },
    lanes: recordingLanes(lanes, add),
  };
}

type Add = (...changes: readonly AuditChange[]) => void;

function recordingTable(table: Table, add: Add): Table {
  const known = new Map<string, unknown>();
  const changed = (key: string, after: unknown): void => {
    add({ object: `directory ${key}`, before: known.get(key) ?? null, after });
    known.set(key, after);
  };
  return {
    async get(key) {
      const entry = await table.get(key);
      known.set(key, entry === null ? null : contentOf(key, entry.value));
      return entry;
    },
    async put(key, value, expectedRevision) {
      const revision = await table.put(key, value, expectedRevision);
      if (revision !== null) changed(key, contentOf(key, value));
      return revision;
    },
    async remove(key, expectedRevision) {
      const removed = await table.remove(key, expectedRevision);
      if (removed) changed(key, null);
      return removed;
    },
    keys: (prefix) => table.keys(prefix),
    everHad: (under) => table.everHad(under),
    watch: (handlers, under) => table.watch(handlers, under),
  };
}

/** Its keys have hashes of players' ids. */
function recordingForgotten(table: Table, add: Add): Table {
  return {
    get: (key) => table.get(key),
    async put(key, value, expectedRevision) {
      const revision = await table.put(key, value, expectedRevision);
      const entry = revision === null ? null : decodeForgotten(value);
      if (entry !== null) add({ object: `forgotten ${key}`, before: null, after: entry });
      return revision;
    },
    remove: (key, expectedRevision) => table.remove(key, expectedRevision),
    keys: (prefix) => table.keys(prefix),
    everHad: (under) => table.everHad(under),
    watch: (handlers, under) => table.watch(handlers, under),
  };
}

/** A large entry is not parsed again only to be recorded. */
function contentOf(key: string, bytes: Uint8Array): unknown {
  if (bytes.length > maxParsedBytes) return summaryOf(bytes);
  try {
    const kind = parseDirectoryKey(key)?.kind;
    const content: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return kind === undefined ? null : withoutSecrets(directoryShapes[kind], content);
  } catch {
    return null;
  }
}

function recordingLanes(lanes: LaneClient, add: Add): LaneClient {
  return withSend(lanes, async (lane, command, stored) => {
    const ids = instancesOf(command);
    const before = await instanceStates(lanes, lane, ids, command);
    const answer = await lanes.send(lane, command, stored);
    if (answer.outcome.kind === 'Refused' || answer.outcome.kind === 'Duplicate') return answer;
    add(commandChange(command, answer.outcome.kind));
    add(...instanceChanges(before, await instanceStates(lanes, lane, ids, command)));
    return answer;
  });
}
