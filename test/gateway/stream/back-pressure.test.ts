import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServicePrincipal } from '../../../src/access/rights/principal.ts';
import { OperatorQuotas } from '../../../src/gateway/api/contribution/operator-quotas.ts';
import { RefusalDelays } from '../../../src/gateway/http/refusal-delays.ts';
import type { LaneCaller } from '../../../src/gateway/lanes/lane-client.ts';
import {
  ContributionStream,
  type StreamHost,
  type StreamTransport,
} from '../../../src/gateway/stream/contribution-stream.ts';
import { streamLimits } from '../../../src/gateway/stream/limits.ts';
import { OpenStreams } from '../../../src/gateway/stream/open-streams.ts';
import type { Command } from '../../../src/messages/commands.ts';
import { createInstance, furnish, startWorld, type World } from '../support/administration.ts';
import { quiet } from '../support/gateway.ts';
import { type Line, line, textOf } from './stream-client.ts';

let world: World;
let instance: string;

beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  instance = await createInstance(world);
  await world.call('POST', `/config/instances/${instance}/status`, { status: 'Active', reason: 'go' });
});
afterAll(() => world.stop());

const turn = () => new Promise((resolve) => setImmediate(resolve));
async function settled(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await turn();
}

const principal = (operator: string): ServicePrincipal => ({
  kind: 'service',
  subject: operator,
  operator,
  brands: null,
  tokenId: 't',
  expiresAtMs: Number.MAX_SAFE_INTEGER,
});

/** A caller who reads nothing unless asked to. */
class Transport implements StreamTransport {
  unwritten = 0;
  maxUnwritten = 0;
  reads = true;
  results = 0;
  over: 'ended' | 'closed' | null = null;
  onRead: () => void = () => {};

  read(more: boolean): void {
    this.reads = more;
    if (more) setImmediate(() => this.onRead());
  }

  write(text: string): void {
    this.unwritten += Buffer.byteLength(text);
    this.maxUnwritten = Math.max(this.maxUnwritten, this.unwritten);
    this.results += text.split('\n').length - 1;
  }

  end(): void {
    this.over = 'ended';
  }

  close(): void {
    this.over = 'closed';
  }
}

/** A gateway whose lanes answer when the test says so. */
function gateway() {
  const waiting: [Command, LaneCaller][] = [];
  const lanes = {
    ...world.context.lanes,
    submit: (_lane: number, command: Command, caller: LaneCaller) => void waiting.push([command, caller]),
  };
  const { clock } = world.context;
  const host: StreamHost = {
    context: { ...world.context, lanes },
    quotas: new OperatorQuotas(clock, () => undefined),
    refusalDelays: new RefusalDelays(clock),
    open: new OpenStreams(),
    report: (error) => {
      throw error;
    },
  };
  return {
    host,
    waiting,
    answer(count = waiting.length) {
      for (const [command, caller] of waiting.splice(0, count))
        caller.resolve({ outcome: quiet(command), lane: 0, sequence: 1, index: 0, timestampMs: 1 });
    },
  };
}

/** A stream whose caller always has more to send. */
function open(host: StreamHost, operator: string, next: (index: number) => Line) {
  const transport = new Transport();
  const caller = principal(operator);
  const stream = new ContributionStream(host, transport, caller, () => caller);
  let sent = 0;
  const push = (): void => {
    if (!transport.reads || transport.over !== null) return;
    const piece: Line[] = [];
    for (; piece.length < 50; sent += 1) piece.push(next(sent));
    stream.push(Buffer.from(textOf(piece)));
    if (transport.reads) setImmediate(push);
  };
  transport.onRead = push;
  push();
  return { stream, transport, sent: () => sent };
}

const of =
  (operator: string, more: Line = {}) =>
  (index: number) =>
    line(index, {
      target: { type: 'instance', id: instance },
      operator_id: operator,
      player: { id: `p-${index}`, token: 's', country: 'DE', brand_id: 'main' },
      ...more,
    });

describe('a caller who does not read', () => {
  it.each([
    ['small lines', {}],
    ['large metadata', { metadata: 'm'.repeat(8_000) }],
    ['linked instances', { metadata: 'm'.repeat(8_000), options: { allow_linked_contributions: true } }],
  ])('has a bounded number of bytes with us: %s', async (_, more) => {
    const { host, waiting, answer } = gateway();
    const { stream, transport, sent } = open(host, 'acme', of('acme', more));
    let taken = -1;
    for (let before = 0; taken !== before; ) {
      before = taken;
      await settled();
      taken = sent();
      expect(waiting.length).toBeLessThanOrEqual(streamLimits.lines);
      answer();
      await settled();
    }
    expect(transport.reads).toBe(false);
    expect(transport.maxUnwritten).toBeLessThanOrEqual(streamLimits.unwrittenBytes + streamLimits.bytes);
    // Who reads on gets on.
    transport.unwritten = 0;
    const results = transport.results;
    stream.resume();
    for (let tries = 0; tries < 5; tries += 1) {
      await settled();
      answer();
    }
    await settled();
    expect(transport.results).toBeGreaterThan(results);
  });
});

describe('a connection on which nothing moves', () => {
  it('ends its stream, unless lines are under way or results unread', async () => {
    const { host, answer } = gateway();
    const transport = new Transport();
    const caller = principal('acme');
    const stream = new ContributionStream(host, transport, caller, () => caller);
    stream.push(Buffer.from(textOf([of('acme')(1)])));
    expect(stream.expire()).toBe(true);
    expect(transport.over).toBeNull();
    answer();
    await settled();
    expect(stream.expire()).toBe(false);
    transport.unwritten = 0;
    expect(stream.expire()).toBe(true);
    expect(transport.over).toBe('closed');
    expect(host.open.open).toBe(0);
  });
});

describe('lines under way', () => {
  it('of a stream alone are as many as all may have', async () => {
    const { host, waiting } = gateway();
    const { transport } = open(host, 'acme', of('acme'));
    await settled();
    expect(waiting).toHaveLength(streamLimits.lines);
    expect(transport.reads).toBe(false);
  });

  it('go on with each answer, and end with the input', async () => {
    const { host, waiting, answer } = gateway();
    const { stream, transport } = open(host, 'acme', of('acme'));
    await settled();
    answer(100);
    await settled();
    expect(waiting).toHaveLength(streamLimits.lines);
    stream.drain();
    answer();
    await settled();
    expect(waiting).toEqual([]);
    expect(transport.over).toBe('closed');
    // A line for each, and the last one.
    expect(transport.results).toBe(streamLimits.lines + 100 + 1);
    expect(host.open.open).toBe(0);
  });

  it('are shared by operators, and then by the streams of each', async () => {
    const { host, waiting, answer } = gateway();
    const streams = Array.from({ length: 4 }, () => open(host, 'acme', of('acme')));
    const other = open(host, 'rival', of('rival', { target: { type: 'instance', id: 'none' } }));
    for (let rounds = 0; rounds < 20; rounds += 1) {
      await settled();
      answer();
      for (const { transport } of [...streams, other]) transport.unwritten = 0;
      for (const { stream } of [...streams, other]) stream.resume();
    }
    await settled();
    // What is foreign is refused at once; the operator's lines never reach the lane.
    expect(waiting.length).toBeLessThanOrEqual(streamLimits.lines + 4 * streamLimits.minLines);
    const share = streams.map(({ sent }) => sent());
    expect(Math.max(...share)).toBeLessThanOrEqual(1.5 * Math.min(...share));
  });
});

describe('the shares of lines', () => {
  const drained = () => ({ drain() {} });
  it('follow who is busy', () => {
    const open = new OpenStreams();
    const { lines, minLines, streams } = streamLimits;
    open.enter('acme', drained());
    open.enter('acme', drained());
    open.enter('rival', drained());
    expect(open.linesOf('acme')).toBe(lines);
    open.becameBusy('acme');
    expect([open.linesOf('acme'), open.linesOf('rival')]).toEqual([lines, lines / 2]);
    open.becameBusy('acme');
    open.becameBusy('rival');
    expect([open.linesOf('acme'), open.linesOf('rival')]).toEqual([lines / 4, lines / 2]);
    open.becameIdle('acme');
    open.becameIdle('acme');
    expect(open.linesOf('rival')).toBe(lines);
    for (let more = 3; more < streams / 2; more += 1) open.enter('acme', drained());
    for (let busy = 0; busy < 60; busy += 1) open.becameBusy('acme');
    expect(open.linesOf('acme')).toBe(minLines);
  });
});
