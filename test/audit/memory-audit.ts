import type { AuditLog, StoredAudit } from '../../src/ports.ts';

/** The stream of the trail in memory. `fault` is thrown by each append; `messages` may be changed by a test. */
export interface MemoryAudit extends AuditLog {
  readonly messages: StoredAudit[];
  fault: Error | null;
}

export function memoryAudit(messages: StoredAudit[] = []): MemoryAudit {
  const last = (): number => messages.at(-1)?.sequence ?? 0;
  const log: MemoryAudit = {
    messages,
    fault: null,
    async append(bytes, expectedLast) {
      if (log.fault !== null) throw log.fault;
      if (expectedLast !== last()) return { kind: 'wrong_last_sequence', last: last() };
      messages.push({ sequence: last() + 1, timestampMs: Date.now(), bytes, relayed: false });
      return { kind: 'stored', sequence: last(), duplicate: false };
    },
    read: async (sequence) => messages.find((message) => message.sequence === sequence) ?? null,
    readFrom: async (from) => messages.filter(({ sequence }) => sequence >= from).slice(0, 128),
    extent: async () => ({
      stream: 'AUDIT',
      firstSequence: messages[0]?.sequence ?? last() + 1,
      lastSequence: last(),
      messages: messages.length,
      maxAgeMs: 0,
    }),
    close: async () => {},
  };
  return log;
}
