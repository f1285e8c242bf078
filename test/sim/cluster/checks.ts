import { expect } from 'vitest';
import { prologueBytes, readPrologue } from '../../../src/actors/recovery/snapshots/format.ts';
import type { AppliedMessage } from '../../../src/actors/replica/replica.ts';
import { equalBytes } from '../../../src/lib/bytes.ts';
import { uuidText } from '../../../src/lib/uuid.ts';
import type { Contributed } from '../../../src/messages/outcomes.ts';
import type { Contribute } from '../../../src/messages/player-commands.ts';
import type { LiveValuesNews } from '../../../src/messages/records.ts';
import { checkAnswers, checkMoney } from '../money/money-invariants.ts';
import { type Ledger, readLedger } from '../money/money-ledger.ts';
import type { Callers, Intent } from './callers.ts';
import type { Cluster } from './cluster.ts';

/** Outages may keep hosts from these, and torn snapshots and dead owners are what histories are about. */
const mayBeAlarmed =
  /^(snapshot_upload_failed|epoch_not_published|owner_failed|not_drained|snapshot_failed|snapshot_torn|outcome_not_rebuilt):/;

interface Replayed {
  readonly ledger: Ledger;
  readonly messages: readonly AppliedMessage[];
  /** The lane head behind each message. */
  readonly heads: readonly Uint8Array[];
}

/** What must hold of every history once it has come to rest. */
export function checkCluster(cluster: Cluster, callers: Callers): Ledger {
  const { hosts, money, supervisor, faults } = cluster;
  const complaints = [...faults, ...supervisor.givenUp, ...callers.complaints];
  expect(complaints.map(String), 'no part met a bug').toEqual([]);
  expect(hosts.alarms.filter((alarm) => !mayBeAlarmed.test(alarm)).join(), 'alarms').toBe('');
  expect(JSON.stringify(hosts.staleEmissions()), 'emissions of an owner before').toBe('[]');
  const replayed = replay(cluster);
  const { ledger } = replayed;
  checkMoney(money, ledger, ['op:house']);
  checkAnswers(
    callers.intents.flatMap(({ answers }) => answers),
    ledger,
  );
  const applied = appliedKeys(replayed);
  for (const intent of callers.intents) checkIntent(intent, applied.get(intent.key) ?? null);
  checkSnapshots(cluster, replayed);
  checkEngines(cluster, ledger);
  return ledger;
}

/** OUT is to the byte what a replay makes of CMD, and no reply was older than its message. */
function replay(cluster: Cluster): Replayed {
  const replies = repliesBySequence(cluster);
  const messages: AppliedMessage[] = [];
  const heads: Uint8Array[] = [];
  const ledger = readLedger(cluster.hosts, ({ engine, laneHead }, message) => {
    messages.push(message);
    heads.push(laneHead);
    // A new owner answers again what is not stored, with the values of a later message.
    for (const { instance, sequence: shown } of replies.get(message.sequence) ?? []) {
      if (shown < engine.liveValues(instance)!.sequence)
        throw new Error(`the live values in the reply to ${message.sequence} are older than their message`);
    }
  });
  return { ledger, messages, heads };
}

function repliesBySequence({ gateways }: Cluster): ReadonlyMap<number, readonly LiveValuesNews[]> {
  const bySequence = new Map<number, LiveValuesNews[]>();
  for (const { sequence, allLiveValues } of gateways.replies)
    bySequence.set(sequence, [...(bySequence.get(sequence) ?? []), ...allLiveValues]);
  return bySequence;
}

interface Applied {
  readonly command: Contribute;
  readonly result: Contributed;
}

/** Where each key was applied: at one place. */
function appliedKeys({ messages, ledger: { settled } }: Replayed): ReadonlyMap<string, Applied> {
  const applied = new Map<string, Applied>();
  for (const { sequence, batch, outcome: of } of messages) {
    for (const [index, command] of batch.commands.entries()) {
      if (command.kind !== 'Contribute') continue;
      const outcome = of.outcomes[index]!;
      const result = outcome.kind === 'Pending' ? settled.get(`${sequence}:${index}`) : outcome;
      if (result?.kind !== 'Contributed') continue;
      const key = Buffer.from(command.idempotencyKey!).toString('hex');
      if (applied.has(key)) throw new Error(`key ${key} was applied twice`);
      applied.set(key, { command, result });
    }
  }
  return applied;
}

/** What was acknowledged is in the log, and every repeat got the headers of what was applied. */
function checkIntent({ key, answers, repeats }: Intent, applied: Applied | null): void {
  const isAcknowledged = repeats.length > 0 || answers.some(({ outcome }) => outcome.kind === 'Contributed');
  if (!isAcknowledged) return;
  if (applied === null) throw new Error(`key ${key} was acknowledged, and is not there`);
  const { command, result } = applied;
  const expected = ['X-Contribution-Id', uuidText(command.contributionId), 'X-Instance-Id'];
  for (const headers of repeats)
    expect(headers.slice(0, 4), `headers of key ${key}`).toEqual([...expected, result.results[0]!.instance]);
}

/** None was visible before the outcome of its sequence, and each has the lane head of that sequence. */
function checkSnapshots({ observed }: Cluster, { heads }: Replayed): void {
  for (const { sequence, bytes, storedOutcome } of observed.snapshots) {
    if (storedOutcome < sequence)
      throw new Error(`the snapshot of ${sequence} was there when OUT ended at ${storedOutcome}`);
    const header = readPrologue(bytes.subarray(0, prologueBytes));
    if (header === null || !equalBytes(header.laneHead, heads[sequence - 1]!))
      throw new Error(`the snapshot of ${sequence} has another lane head`);
  }
}

/** Every host that has applied everything has the same state. */
function checkEngines({ observed }: Cluster, { replica }: Ledger): void {
  for (const engine of observed.engines()) {
    if (engine.appliedSequence !== replica.appliedSequence) continue;
    for (const instance of replica.engine.instances())
      expect(engine.liveValues(instance), `${instance} of a host`).toEqual(
        replica.engine.liveValues(instance),
      );
  }
}
