import { describe, expect, it } from 'vitest';
import { decodeMessage } from '../../src/audit/chain.ts';
import { AuditVerification } from '../../src/audit/verify.ts';
import { AuditUnavailable, AuditWriter } from '../../src/audit/writer.ts';
import { LogError } from '../../src/ports.ts';
import { entry } from './entries.ts';
import { type MemoryAudit, memoryAudit } from './memory-audit.ts';

describe('the writer of the audit trail', () => {
  it('makes one chain with the writers of other processes, and stores each entry once', async () => {
    const log = slow(memoryAudit());
    const writers = Array.from({ length: 5 }, () => new AuditWriter(log));
    const ids = Array.from({ length: 200 }, (_, at) => `entry-${at}`);
    await Promise.all(ids.map((id, at) => writers[at % writers.length]!.append(entry(id))));
    expect(storedIds(log).toSorted()).toEqual(ids.toSorted());
    expect(verifies(log)).toBe(true);
  });

  it('stores entries that come together in one message', async () => {
    const log = slow(memoryAudit());
    const writer = new AuditWriter(log);
    await Promise.all(Array.from({ length: 100 }, (_, at) => writer.append(entry(`entry-${at}`))));
    expect(log.messages.length).toBeLessThan(5);
    expect(storedIds(log)).toHaveLength(100);
  });

  it('waits for more entries while they follow one another, and not with the first', async () => {
    const log = memoryAudit();
    const writer = new AuditWriter(log);
    const first = writer.append(entry('first'));
    const second = writer.append(entry('second'));
    await first;
    expect(storedIds(log)).toEqual(['first']);
    await Promise.all([second, writer.append(entry('third'))]);
    expect(storedIds(log)).toEqual(['first', 'second', 'third']);
    expect(log.messages).toHaveLength(2);
  });

  it('continues a chain that is there', async () => {
    const log = memoryAudit();
    await new AuditWriter(log).append(entry('before'));
    await new AuditWriter(log).append(entry('after'));
    expect(verifies(log)).toBe(true);
  });

  it.each(['stored', 'lost'] as const)(
    'stores an entry once if the answer is lost and it was %s',
    async (fate) => {
      const log = memoryAudit();
      const append = log.append.bind(log);
      let failures = 2;
      log.append = async (bytes, expectedLast) => {
        if (failures === 0) return append(bytes, expectedLast);
        failures -= 1;
        if (fate === 'stored') await append(bytes, expectedLast);
        throw new LogError('unknown', 'no answer');
      };
      const writer = new AuditWriter(log);
      await writer.append(entry('one'));
      await writer.append(entry('two'));
      expect(storedIds(log)).toEqual(['one', 'two']);
      expect(verifies(log)).toBe(true);
    },
  );

  it('stores an entry once if its message arrives after the question whether it has', async () => {
    const log = memoryAudit();
    const append = log.append.bind(log);
    let late: (() => Promise<unknown>) | null = null;
    let calls = 0;
    log.append = async (bytes, expectedLast) => {
      calls += 1;
      if (calls === 1) {
        late = () => append(bytes, expectedLast);
        throw new LogError('unknown', 'no answer');
      }
      await late?.();
      return append(bytes, expectedLast);
    };
    await new AuditWriter(log).append(entry('one'));
    expect(storedIds(log)).toEqual(['one']);
  });

  it.each(['full', 'misconfigured'] as const)('refuses an entry at once if the log is %s', async (code) => {
    const log = memoryAudit();
    log.fault = new LogError(code, 'no');
    await expect(new AuditWriter(log).append(entry('one'))).rejects.toBeInstanceOf(AuditUnavailable);
    log.fault = null;
    await new AuditWriter(log).append(entry('two'));
    expect(storedIds(log)).toEqual(['two']);
  });

  it('refuses an entry after a bounded outage, and goes on after it', async () => {
    const log = memoryAudit();
    log.fault = new LogError('unavailable', 'down');
    const writer = new AuditWriter(log);
    await expect(writer.append(entry('one'))).rejects.toBeInstanceOf(AuditUnavailable);
    log.fault = null;
    await writer.append(entry('two'));
    expect(storedIds(log)).toEqual(['two']);
  });

  it('keeps a limited number of entries waiting, and refuses all of them when the log fails', async () => {
    const log = memoryAudit();
    let appends = 0;
    log.append = async () => {
      appends += 1;
      throw new LogError('full', 'no room');
    };
    const writer = new AuditWriter(log);
    const appended = Array.from({ length: 2_200 }, (_, at) => writer.append(entry(`entry-${at}`)));
    const results = await Promise.allSettled(appended);
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(appends).toBe(1);
    log.append = memoryAudit().append;
    await writer.append(entry('after'));
  });
});

function slow(log: MemoryAudit): MemoryAudit {
  const append = log.append.bind(log);
  log.append = async (bytes, expectedLast) => {
    await new Promise((resolve) => setImmediate(resolve));
    return append(bytes, expectedLast);
  };
  return log;
}

function storedIds({ messages }: MemoryAudit): string[] {
  return messages.flatMap(({ bytes }) => decodeMessage(bytes)!.entries.map(({ id }) => id));
}

function verifies({ messages }: MemoryAudit): boolean {
  const verification = new AuditVerification();
  for (const message of messages) verification.take(message);
  return verification.report().verified;
}
