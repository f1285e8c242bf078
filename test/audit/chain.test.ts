import { describe, expect, it } from 'vitest';
import { hashOf } from '../../src/audit/chain.ts';
import { AuditVerification, type TrailReport } from '../../src/audit/verify.ts';
import { AuditWriter } from '../../src/audit/writer.ts';
import type { StoredAudit } from '../../src/ports.ts';
import { entry } from './entries.ts';
import { memoryAudit } from './memory-audit.ts';

const count = 4;

describe('the chain of the audit trail', () => {
  it('is verified as it was written', async () => {
    const messages = await written();
    const report = verify(messages);
    expect(report).toMatchObject({ verified: true, messages: count, entries: count, faults: [] });
    expect(report.head).toBe(hashOf(messages.at(-1)!.bytes));
  });

  it('shows every changed byte of every message', async () => {
    const messages = await written();
    for (const [at, message] of messages.entries()) {
      for (let byte = 0; byte < message.bytes.length; byte += 1) {
        const bytes = Uint8Array.from(message.bytes);
        bytes[byte]! ^= 1;
        const report = verify(messages.with(at, { ...message, bytes }));
        expect([at, byte, report.verified]).toEqual([at, byte, false]);
      }
    }
  });

  it('shows a removed message, wherever it was', async () => {
    const messages = await written();
    for (let at = 1; at < count - 1; at += 1) {
      const report = verify(messages.toSpliced(at, 1));
      expect(report.faults.map(({ kind }) => kind)).toContain('removed');
    }
    expect(verify(messages.slice(1)).verified).toBe(false);
    expect(verify(messages.slice(0, -1), { lastSequence: count }).faults).toMatchObject([
      { kind: 'removed' },
    ]);
  });

  it('shows a removed message whose followers were numbered again', async () => {
    const messages = (await written()).toSpliced(1, 1).map((each, at) => ({ ...each, sequence: at + 1 }));
    expect(verify(messages).faults.map(({ kind }) => kind)).toEqual(['reordered', 'changed', 'reordered']);
  });

  it('shows two messages that changed places', async () => {
    const [first, second, third, fourth] = await written();
    const swapped = [first!, { ...third!, sequence: 2 }, { ...second!, sequence: 3 }, fourth!];
    expect(verify(swapped).faults.map(({ kind }) => kind)).toContain('reordered');
  });

  it('shows a lost end to those who noted the head', async () => {
    const messages = await written();
    const expectedHead = hashOf(messages.at(-1)!.bytes);
    expect(verify(messages, { expectedHead }).verified).toBe(true);
    expect(verify(messages.slice(0, -1), { expectedHead }).faults).toMatchObject([{ kind: 'head_missing' }]);
  });

  it('shows a message of a party that may not write', async () => {
    const messages = await written();
    const relayed = messages.with(-1, { ...messages.at(-1)!, relayed: true });
    expect(verify(relayed).faults).toMatchObject([{ kind: 'foreign', sequence: count }]);
  });

  it('is not verified without its beginning, nor where there is nothing', async () => {
    const messages = (await written()).slice(2);
    const incomplete = 'It begins with message 3: those before it are not here.';
    expect(verify(messages)).toMatchObject({ verified: false, faults: [], incomplete });
    expect(verify([])).toMatchObject({ verified: false, faults: [], incomplete: 'It is empty.' });
  });

  it('names intents without an outcome', async () => {
    const log = memoryAudit();
    const writer = new AuditWriter(log);
    await writer.append(entry('done', 'intent'));
    await writer.append(entry('done', 'outcome'));
    await writer.append(entry('broken-off', 'intent'));
    expect(verify(log.messages).open).toEqual([{ id: 'broken-off', sequence: 3 }]);
  });
});

async function written(): Promise<StoredAudit[]> {
  const log = memoryAudit();
  const writer = new AuditWriter(log);
  for (let at = 0; at < count; at += 1) await writer.append(entry(`entry-${at}`));
  return log.messages;
}

function verify(
  messages: readonly StoredAudit[],
  options: ConstructorParameters<typeof AuditVerification>[0] & { readonly lastSequence?: number } = {},
): TrailReport {
  const verification = new AuditVerification(options);
  for (const message of messages) verification.take(message);
  return verification.report(options.lastSequence ?? null);
}
