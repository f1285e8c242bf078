import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { readWitness } from '../../actors/witness/witness-files.ts';
import { lastAcceptance, trailName, trailsOf } from '../../actors/witness/witness-lines.ts';
import { type AuditRecord, readTrail } from '../../audit/reader.ts';
import { AuditVerification, type TrailReport } from '../../audit/verify.ts';
import { beginningOf, lostEnd, type TrailRule } from '../../audit/witnessed.ts';
import type { Settings } from '../../config/settings.ts';
import { isWithin } from '../../contracts/fields/identifiers.ts';
import { connectAudit, connectReader } from '../../log/jetstream/connect.ts';
import { findSystemId } from '../../log/system/system-id.ts';
import { type AuditLog, LogError, type StoredAudit } from '../../ports.ts';
import { logSettings, systemClock } from '../../wiring.ts';
import { ofRunningSystem } from '../system/nats-access.ts';
import type { CommandOutput } from '../terminal/output.ts';
import { placesOf } from '../witness/run.ts';
import { sentencesOf } from './sentences.ts';

interface VerifyChoices {
  /** null: the trail of the running system. */
  readonly file: string | null;
  readonly head: string | null;
  readonly json: boolean;
}

export interface ListChoices {
  readonly user?: string;
  readonly operation?: string;
  readonly owner?: string;
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
  readonly json?: boolean;
}

/** `potstream audit verify`: 0 if nothing is wrong, 3 if only the beginning is missing, otherwise 1. */
export async function verifyTrail(
  settings: Settings,
  { file, head, json }: VerifyChoices,
  output: CommandOutput,
): Promise<number> {
  const report =
    file === null ? await verifyRunning(settings, head, output) : await verifyFile(file, head, output);
  if (report === null) return 1;
  output.write(json ? `${JSON.stringify(report, null, 2)}\n` : textOf(report));
  if (report.faults.length > 0) return 1;
  return report.verified ? 0 : 3;
}

/** `potstream audit list`. */
export async function listTrail(
  settings: Settings,
  choices: ListChoices,
  output: CommandOutput,
): Promise<number> {
  const { user, operation, owner, from: fromMs, limit } = choices;
  const matches = ({ owners }: { readonly owners: readonly string[] }): boolean =>
    owner === undefined || owners.some((each) => isWithin(each, owner));
  const lineOf = choices.json === true ? jsonOf : await inWords();
  const done = await withTrail(settings, output, async (log) => {
    let left = limit;
    for (let toMs = choices.to; left > 0; ) {
      const filter = { user, operation, fromMs, toMs, matches };
      const page = await readTrail(log, filter, { skip: 0, limit: left, oldestFirst: false });
      for (const record of page.records) output.write(`${lineOf(record)}\n`);
      left -= page.records.length;
      if (page.unreadMs === null || page.unreadMs === toMs) break;
      toMs = page.unreadMs;
    }
  });
  return done === null ? 1 : 0;
}

function jsonOf({ intent, outcome, sequence }: AuditRecord): string {
  return JSON.stringify({ sequence, ...intent, ...outcome, timestamp: intent.timestamp });
}

async function inWords(): Promise<(record: AuditRecord) => string> {
  const { operations } = await import('../../gateway/api/operations/index.ts');
  const names = new Map(operations.map(({ id, name }) => [id, name]));
  return (record) => sentencesOf(record, (operation) => names.get(operation));
}

/** `potstream audit export`. */
export async function exportTrail(settings: Settings, output: CommandOutput): Promise<number> {
  const done = await withTrail(settings, output, async (log) => {
    for await (const { bytes } of messagesOf(log)) output.write(`${Buffer.from(bytes).toString('utf8')}\n`);
  });
  return done === null ? 1 : 0;
}

function verifyRunning(
  settings: Settings,
  head: string | null,
  output: CommandOutput,
): Promise<TrailReport | null> {
  return withTrail(settings, output, async (log, reach) => {
    const rule = await ruleOf(settings, reach);
    const extent = await log.extent();
    const verification = new AuditVerification({ expectedHead: head, seen: rule.seen });
    for await (const message of messagesOf(log)) verification.take(message);
    const beginning = beginningOf(extent, rule, systemClock.nowMs());
    const empty = extent.lastSequence === 0 ? undefined : beginning;
    return verification.report(extent.lastSequence, empty, lostEnd(extent, rule.seen));
  });
}

/** What this machine knows of the trail, and what the settings allow. */
async function ruleOf(settings: Settings, reach: Settings): Promise<TrailRule> {
  const log = await connectReader(logSettings(reach, 'audit'));
  try {
    const system = await findSystemId(await log.table('PLACEMENT'));
    const lines = await readWitness(placesOf(settings), system === null ? undefined : [system]);
    const accepted = lastAcceptance(lines, trailName) !== null;
    return { maxAgeMs: settings.auditMaxAgeMs, seen: trailsOf(lines), accepted };
  } finally {
    await log.close();
  }
}

async function verifyFile(
  file: string,
  head: string | null,
  { print }: CommandOutput,
): Promise<TrailReport | null> {
  const verification = new AuditVerification({ expectedHead: head });
  const input = file === '-' ? process.stdin : createReadStream(file);
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const sequence = Number(/^\{"v":1,"sequence":([0-9]+),/.exec(line)?.[1] ?? 0);
      verification.take({ sequence, bytes: Buffer.from(line, 'utf8'), relayed: false });
    }
  } catch (error) {
    print(`${file} cannot be read: ${(error as Error).message}`);
    return null;
  }
  return verification.report();
}

async function* messagesOf(log: AuditLog): AsyncGenerator<StoredAudit> {
  const { firstSequence, lastSequence } = await log.extent();
  for (let next = firstSequence; next <= lastSequence; ) {
    const batch = await log.readFrom(next);
    const last = batch.at(-1);
    if (last === undefined) return;
    yield* batch;
    next = last.sequence + 1;
  }
}

/** null: the trail cannot be read, and the user knows it. */
async function withTrail<T>(
  settings: Settings,
  { print }: CommandOutput,
  work: (log: AuditLog, reach: Settings) => Promise<T>,
): Promise<T | null> {
  const reach = ofRunningSystem(settings, 'audit');
  try {
    const log = await connectAudit(logSettings(reach, 'audit'));
    try {
      return await work(log, reach);
    } finally {
      await log.close();
    }
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    print(`The audit trail cannot be read: ${error.message}`);
    return null;
  }
}

function textOf(report: TrailReport): string {
  const { verified, incomplete, messages, entries, firstSequence, lastSequence, head, faults, open } = report;
  const lines = [
    verified ? 'VERIFIED' : faults.length > 0 ? 'FAILED' : 'INCOMPLETE',
    ...(incomplete === null ? [] : [incomplete]),
    `messages  ${messages}${messages === 0 ? '' : `, ${firstSequence} to ${lastSequence}`}`,
    `entries   ${entries}`,
    `head      ${head ?? 'none'}`,
    ...faults.map(({ kind, message }) => `${kind}: ${message}`),
    ...open.map(({ id, sequence }) => `without an outcome: change ${id} of message ${sequence}`),
  ];
  return `${lines.join('\n')}\n`;
}
