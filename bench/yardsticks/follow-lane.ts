/**
 * The yardstick of the recovery row: a lane's log followed and decoded, in a process that has just started as
 * an actor host does, with its flags and its warm-up. What V8 has yet to compile costs both the same. Reads a
 * FollowPlan from its standard input and prints commands a second.
 */
import { text } from 'node:stream/consumers';
import { warmUp } from '../../src/actors/lane/warm-up.ts';
import { connectLog } from '../../src/log/jetstream/connect.ts';
import { decodeCommandBatch } from '../../src/messages/codec/codec.ts';
import { setV8Flags } from '../../src/runtime/v8-flags.ts';

export interface FollowPlan {
  /** To nats-server. */
  readonly access: Parameters<typeof connectLog>[0];
  readonly lane: number;
  readonly fromSequence: number;
}

setV8Flags();
const { access, lane, fromSequence } = JSON.parse(await text(process.stdin)) as FollowPlan;
warmUp();
const log = await connectLog(access);
let commands = 0;
const began = performance.now();
await new Promise<void>((resolve, reject) => {
  const follower = log.follow(lane, fromSequence, {
    message(stored) {
      commands += decodeCommandBatch(stored.bytes).commands.length;
    },
    caughtUp: () => resolve(),
  });
  follower.done.catch(reject);
});
const seconds = (performance.now() - began) / 1000;
await log.close();
process.stdout.write(JSON.stringify({ commandsPerSecond: commands / seconds }));
