import {
  type DeliveryAnswer,
  type DeliveryQuestion,
  type DeliveryRow,
  decodeDeliveryQuestion,
  encodeDeliveryAnswer,
  type ReplayRow,
} from '../../contracts/payments/delivery-questions.ts';
import { deliveriesSubject } from '../../log/base/names.ts';
import type { Bus, BusMessage, Clock } from '../../ports.ts';
import type { Backlogs } from '../backlog/backlogs.ts';
import { outboxLimits } from '../delivery/limits.ts';
import type { ReplayJobs } from '../replay/replay-jobs.ts';
import { newReplay, type ReplayJob } from '../store/entries.ts';
import { Stopped } from '../store/persistently.ts';
import type { KnownDelivery, StoredDeliveries } from '../stored/stored-deliveries.ts';
import { deliveryKind, sliceOf } from './slice.ts';

/**
 * Answers gateways for a lane until it is stopped. Too many questions get no answer: the callers get
 * `overloaded`.
 */
export function serveDeliveryQuestions(
  lane: number,
  bus: Pick<Bus, 'subscribe'>,
  answer: (question: DeliveryQuestion) => Promise<DeliveryAnswer>,
  report: (message: string, error: unknown) => void,
): { stop(): void } {
  let open = 0;
  async function attend(message: BusMessage): Promise<void> {
    const question = decodeDeliveryQuestion(message.bytes);
    if (question === null || open >= outboxLimits.questionsAtOnce) return;
    open += 1;
    try {
      message.respond(encodeDeliveryAnswer(await answer(question)));
    } finally {
      open -= 1;
    }
  }
  return bus.subscribe(deliveriesSubject(lane), (message) => {
    attend(message).catch((error: unknown) => {
      if (!(error instanceof Stopped)) report(`A question about lane ${lane} met a bug.`, error);
    });
  });
}

interface AskedRun {
  readonly stored: Pick<StoredDeliveries, 'known' | 'find' | 'replay' | 'resolve'>;
  readonly backlogs: Pick<Backlogs, 'known' | 'find' | 'replay' | 'resolve'>;
  readonly replays: Pick<ReplayJobs, 'jobs' | 'add'>;
}

interface QuestionPorts {
  readonly callbacks: AskedRun;
  /** null: there is no subscription. */
  readonly events: AskedRun | null;
  readonly lastOutcome: () => Promise<number>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/** Answers a question about the stored deliveries of a lane, or does what an administrator decided. */
export async function answerQuestion(
  { callbacks, events, lastOutcome, clock }: QuestionPorts,
  question: DeliveryQuestion,
): Promise<DeliveryAnswer> {
  const runs = events === null ? [callbacks] : [callbacks, events];
  if (question.kind === 'list') {
    const known = runs.flatMap(({ stored, backlogs }) => [stored.known(), backlogs.known()]);
    const { found, total } = sliceOf(known, question);
    return { ...rows(found), total };
  }
  if (question.kind === 'replays') {
    const listed = runs.flatMap((run) => run.replays.jobs.map((job) => replayRow(job, run === events)));
    return { kind: 'replays', replays: listed, isRepeat: false };
  }
  if (question.kind === 'replay_range') {
    const { id, fromMs, toMs, owners } = question;
    const run = question.events === true ? events : callbacks;
    const isRepeat = run?.replays.jobs.some((job) => job.id === id) === true;
    const wanted = { ...newReplay(id, clock.nowMs()), fromMs, toMs, owners, last: await lastOutcome() };
    // Without a subscription so far there are no events to send.
    const job = run === null ? { ...wanted, isDone: true } : await run.replays.add(wanted);
    if (job === null) return { kind: 'starting' };
    return { kind: 'replays', replays: [replayRow(job, question.events === true)], isRepeat };
  }
  const has = ({ stored, backlogs }: AskedRun) => stored.find(question.id) ?? backlogs.find(question.id);
  const { stored, backlogs } = runs.find((run) => has(run) !== null) ?? callbacks;
  switch (question.kind) {
    case 'read':
      return rows([stored.find(question.id) ?? backlogs.find(question.id)]);
    case 'replay':
      return rows([(await stored.replay(question.id)) ?? (await backlogs.replay(question.id))]);
    case 'resolve': {
      const backlog = backlogs.find(question.id);
      const found = stored.find(question.id) ?? backlog;
      if (found !== null && found.state !== 'dead') return { kind: 'wrong_state', state: found.state };
      if (backlog !== null) return rows([await backlogs.resolve(question.id)]);
      return rows([await stored.resolve(question.id, question.result)]);
    }
  }
}

function rows(found: readonly (KnownDelivery | null)[]): Extract<DeliveryAnswer, { kind: 'rows' }> {
  return { kind: 'rows', rows: found.flatMap((each) => (each === null ? [] : [rowOf(each)])) };
}

function replayRow(job: ReplayJob, events: boolean): ReplayRow {
  const { id, fromMs, toMs, owners, createdMs, deliveries, isDone } = job;
  const row = { id, fromMs, toMs, owners: [...owners], createdMs, deliveries, isDone };
  return events ? { ...row, events } : row;
}

function rowOf(known: KnownDelivery): DeliveryRow {
  const { id, owner, instance, receiver, state, tries, lastError, lastTryMs, nextMs, createdMs, flush } =
    known;
  const { subscription, eventType } = known;
  return {
    id,
    kind: deliveryKind(known),
    deliveries: known.deliveries ?? 1,
    owner,
    instance,
    origin: receiver.origin,
    state,
    tries,
    lastError,
    lastTryMs,
    nextMs,
    createdMs,
    amount: flush === null ? '' : flush.amountAtoms.toString(),
    currency: flush?.currency ?? '',
    ...(subscription === undefined ? {} : { subscription, eventType }),
  };
}
