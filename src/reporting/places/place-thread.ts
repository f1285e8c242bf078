/**
 * The thread that replays lanes to the places that callers ask for, one question after the other, with an
 * engine and connections of its own: neither the books nor other answers wait for it. Started by
 * role/answers.ts; it ends when no question has come for a while.
 */
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { engineSettings, enginesOf } from '../../actors/replica/engines.ts';
import type { Settings } from '../../config/settings.ts';
import {
  type BooksAnswer,
  decodeBooksQuestion,
  encodeBooksAnswer,
} from '../../contracts/reports/questions.ts';
import { assert } from '../../lib/assert.ts';
import { LoopTurn } from '../../lib/turns.ts';
import { connectReader } from '../../log/jetstream/connect.ts';
import { LogError } from '../../ports.ts';
import { logSettings, systemClock, withArchive } from '../../wiring.ts';
import type { FromAnswers, ToAnswers } from '../answers/messages.ts';
import { reportingLimits } from '../base/limits.ts';
import { LanePlaces } from './places.ts';
import { answerPlace } from './shown.ts';

// On Linux 0 is the calling thread; elsewhere it is the process, which keeps its priority.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_LOW);
assert(parentPort !== null, 'this is a thread');
const parent = parentPort;
const send = (message: FromAnswers): void => parent.postMessage(message);
const unavailable: BooksAnswer = { kind: 'unavailable', body: '' };
let places: Promise<LanePlaces> | null = null;
let last: Promise<void> = Promise.resolve();
let waiting = 0;
let idle: NodeJS.Timeout | null = null;

parent.on('message', ({ id, bytes }: ToAnswers) => {
  const untilMs = systemClock.elapsedMs() + reportingLimits.questionWithinMs;
  if (idle !== null) clearTimeout(idle);
  waiting += 1;
  last = last
    .then(() => answered(bytes, untilMs))
    .catch((error: unknown) => {
      if (!(error instanceof LogError)) send({ bug: error instanceof Error ? error : String(error) });
      return unavailable;
    })
    .then((answer) => {
      send({ id, bytes: encodeBooksAnswer(answer) });
      waiting -= 1;
      if (waiting === 0) idle = setTimeout(() => process.exit(), reportingLimits.placesIdleMs);
    });
});

async function answered(bytes: Uint8Array, untilMs: number): Promise<BooksAnswer> {
  const question = decodeBooksQuestion(bytes);
  // The gateway has given up what comes to its turn too late.
  const withinMs = Math.min(untilMs - systemClock.elapsedMs(), reportingLimits.placeWithinMs);
  if (question?.kind !== 'at' || withinMs <= 0) return unavailable;
  places ??= opened(workerData as Settings).catch((error: unknown) => {
    places = null;
    throw error;
  });
  return answerPlace(await places, question, withinMs);
}

async function opened(settings: Settings): Promise<LanePlaces> {
  const log = withArchive(await connectReader(logSettings(settings, 'reporting')), settings);
  const engine = engineSettings(settings);
  return new LanePlaces({
    log,
    engines: (hashing) => enginesOf(hashing, engine),
    turn: new LoopTurn(),
    clock: systemClock,
  });
}
