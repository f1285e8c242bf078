import { settledConfiguration } from './narrow-stream.ts';
import type { StreamConfiguration } from './stream-configurations.ts';

/** What nats-server writes for members that were not named, where that is not empty. */
const standard: Readonly<Record<string, unknown>> = {
  max_consumers: -1,
  max_msgs: -1,
  max_msgs_per_subject: -1,
  max_msg_size: -1,
  compression: 'none',
  persist_mode: 'default',
  duplicate_window: 120_000_000_000,
};

/** A stream holds no more than `max_bytes` says, and drops nothing for it: everybody may choose that. */
const free: ReadonlySet<string> = new Set(['max_bytes']);

/** A member that is not what it should be, and a text that says so. */
export interface Difference {
  readonly member: string;
  readonly text: string;
}

/**
 * How the configuration of a stream differs from what it should be, also in members that this release does
 * not know. A longer age, more replicas, and what nats-server cannot take back count as right.
 */
export function differencesOf(
  wanted: StreamConfiguration,
  present: Readonly<Record<string, unknown>>,
): readonly Difference[] {
  const settled = settledConfiguration(present);
  const members = new Set([...Object.keys(wanted), ...Object.keys(settled)]);
  return [...members]
    .filter((member) => !free.has(member))
    .flatMap((member) => {
      const [should, is] = [wantedOf(wanted, member), plain(member, settled[member])];
      return isRight(member, should, is)
        ? []
        : [{ member, text: `${member} is ${textOf(is)}, not ${textOf(should)}` }];
    });
}

function wantedOf(wanted: StreamConfiguration, member: string): unknown {
  return member in wanted ? plain(member, wanted[member]) : plain(member, standard[member]);
}

function isRight(member: string, should: unknown, is: unknown): boolean {
  if (JSON.stringify(should) === JSON.stringify(is)) return true;
  if (member in standard && is === undefined && JSON.stringify(should) === JSON.stringify(standard[member]))
    return true;
  if (member === 'max_age') return is === undefined || (should !== undefined && Number(is) >= Number(should));
  if (member === 'num_replicas') return Number(is) >= Number(should);
  // Streams of earlier releases have it, and nats-server does not let it be turned off.
  return member === 'allow_msg_ttl' && is === true;
}

function plain(member: string, value: unknown): unknown {
  if (member === 'metadata') return plainMetadata(value);
  if (value === null || value === false || value === '' || value === 0) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value;
  return typeof value === 'object' && Object.keys(value).length === 0 ? undefined : value;
}

function plainMetadata(value: unknown): unknown {
  const entries = Object.entries((value ?? {}) as Record<string, string>);
  const foreign = entries.filter(([name]) => !name.startsWith('_nats.'));
  return foreign.length === 0 ? undefined : Object.fromEntries(foreign);
}

function textOf(value: unknown): string {
  return value === undefined ? 'not set' : JSON.stringify(value);
}
