import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readNatsAccess, withNatsAccess } from '../../src/cli/system/nats-access.ts';
import { readSettings } from '../../src/config/settings.ts';
import { connectReader } from '../../src/log/jetstream/connect.ts';
import { logSettings } from '../../src/wiring.ts';
import { potstream } from '../cli/support/command.ts';
import { CountedTraffic, type Sent } from '../support/counted-traffic.ts';
import { OperatorClient } from '../support/operator-client.ts';
import { type RunningSystem, startSystem } from '../support/system.ts';

/** Streams so small that the load of a few minutes goes through them several times. */
const streamBytes = 4 * 1024 * 1024;
const turnovers = Number(process.env.POTSTREAM_TRIMMING_TURNOVERS ?? 4);
const textBytes = 8_000;
const fillers = 4;
const fillPauseMs = 20;
const patience = { timeout: 150_000, interval: 500 };
const clean = { surplus: 0, changedRepeats: 0, conservation: '0', statuses: [200] };

let system: RunningSystem;
let counted: CountedTraffic;
let environment: Readonly<Record<string, string>>;

beforeAll(async () => {
  system = await startSystem({
    args: ['--no-traffic'],
    environment: {
      POTSTREAM_LANES: '1',
      POTSTREAM_STREAM_MAX_BYTES: String(streamBytes),
      POTSTREAM_ARCHIVE_AFTER_MINUTES: '0',
      POTSTREAM_ARCHIVE_KEEP_HOURS: '0',
      POTSTREAM_EPOCH_SECONDS: '10',
    },
  });
  environment = { POTSTREAM_DATA: system.dataDirectory };
  counted = await CountedTraffic.open(system);
});
afterAll(async () => {
  if (process.env.POTSTREAM_TRIMMING_OUTPUT) console.log(system?.output());
  await system?.stop();
});

it('serves while its streams are trimmed, and everything before is read from the archive', async () => {
  const before = await counted.total();
  const traffic = counted.start('trimmed');
  const began = Date.now();
  const filler = fill();
  await vi.waitUntil(() => traffic.answered() > 50, patience);
  const seen: number[] = [];
  const target = turnovers * streamBytes;
  await vi.waitUntil(async () => {
    const { firstSequence } = await commands();
    if (firstSequence > (seen.at(-1) ?? 1)) seen.push(firstSequence);
    return filler.bytes() > target && seen.length > 1;
  }, patience);
  // A host that dies while its lane is trimmed recovers from what is left.
  await system.kill('actors');
  await system.ready();
  const atKill = (await commands()).firstSequence;
  await vi.waitUntil(async () => (await commands()).firstSequence > atKill, patience);
  const filled = await filler.stop();
  const sent = await traffic.stop();
  const first: readonly Sent[] = sent.slice(0, 20);
  console.log(
    `trimmed: ${seen.length} times, now from message ${(await commands()).firstSequence} of ${(await commands()).lastSequence}, after ${Math.round((Date.now() - began) / 1000)} s and ${sent.length + filled} contributions`,
  );
  expect(await counted.books(sent, before + filled)).toEqual({ ...clean, distinctIds: sent.length });

  // Their commands left the stream long ago.
  const operator = await OperatorClient.login(system.baseUrl, system.credentials.service);
  for (const { key, player, headers } of first)
    expect(await operator.contributeSurely(counted.instance, contribution(key, player))).toMatchObject({
      status: 204,
      headers,
    });
});

it('has an archive that is whole, and audits and replays that reach back into it', async () => {
  const verified = await potstream(['archive', 'verify', '--json'], environment);
  expect(verified, verified.stdout).toMatchObject({ code: 0 });
  const [archive] = JSON.parse(verified.stdout).lanes;
  const { firstSequence } = await commands();
  expect(archive).toMatchObject({ first: 1, faults: [] });
  expect(archive.last).toBeGreaterThanOrEqual(firstSequence - 1);

  const audited = await potstream(['audit', '--json'], environment);
  expect(audited, audited.stdout + audited.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(audited.stdout).lanes[0]).toMatchObject({ from: 1, complete: true, findings: [] });

  const replayed = await potstream(['replay', counted.instance, '--at', '3', '--json'], environment);
  expect(replayed, replayed.stderr).toMatchObject({ code: 0 });
  const { at, now } = JSON.parse(replayed.stdout);
  expect(at.total_contributions).toBeGreaterThan(0);
  expect(at.total_contributions).toBeLessThan(20);
  expect(now.total_contributions).toBe(await counted.total());
});

it('publishes epochs whose beginning was trimmed, and a verifier finds nothing wrong', async () => {
  const list = async () => {
    const path = `/v1/fairness/instances/${counted.instance}/epochs?sort_direction=1`;
    const answer = await fetch(`${system.baseUrl}${path}`);
    return (await answer.json()) as { epoch: number; state: string }[];
  };
  const revealed = (await list()).filter(({ state }) => state === 'revealed').map(({ epoch }) => epoch);
  expect(revealed.length).toBeGreaterThan(2);
  for (const epoch of [revealed[0]!, revealed.at(-1)!]) {
    const args = ['verify', system.baseUrl, '--instance', counted.instance, '--epoch', String(epoch)];
    await vi.waitFor(async () => {
      const result = await potstream(args);
      expect(result, result.stdout + result.stderr).toMatchObject({ code: 0 });
    }, patience);
  }
});

it('starts again from what is left, and goes on', async () => {
  await system.kill('actors', 'SIGTERM');
  await system.ready();
  const before = await counted.total();
  const traffic = counted.start('after');
  await vi.waitUntil(() => traffic.answered() > 50, patience);
  const sent = await traffic.stop();
  expect(await counted.books(sent, before)).toEqual({ ...clean, distinctIds: sent.length });
  expect((await potstream(['archive', 'verify'], environment)).code).toBe(0);
});

/** Contributions with much text, which count too. A lane that is short of room refuses them for a while. */
function fill(): { bytes(): number; stop(): Promise<number> } {
  let running = true;
  let accepted = 0;
  const send = async (filler: number): Promise<void> => {
    const operator = await OperatorClient.login(system.baseUrl, system.credentials.service);
    for (let n = 0; running; n += 1) {
      const body = {
        ...contribution(`fill-${filler}-${n}`, 0),
        event_metadata: { text: 'm'.repeat(textBytes) },
      };
      const { status, tries } = await operator.contributeSurely(counted.instance, body);
      if (status !== 200 && !(status === 204 && tries > 1)) throw new Error(`filling: ${status}`);
      accepted += 1;
      await new Promise((resolve) => setTimeout(resolve, fillPauseMs));
    }
  };
  const all = Promise.all(Array.from({ length: fillers }, (_, filler) => send(filler)));
  return {
    bytes: () => accepted * textBytes,
    async stop() {
      running = false;
      await all;
      return accepted;
    },
  };
}

function contribution(key: string, player: number): Record<string, unknown> {
  const { players } = system.credentials;
  const { player_id, token, currency } = players[player % players.length]!;
  return {
    token,
    brand_id: 'demo:main',
    player_id,
    player_country: 'DE',
    gameround_id: `round-${key}`,
    base_wager: 1,
    currency,
    idempotency_key: key,
  };
}

async function commands(): Promise<{ firstSequence: number; lastSequence: number }> {
  const access = readNatsAccess(join(system.dataDirectory, 'run'))!;
  const settings = withNatsAccess(readSettings(environment), access, 'replay');
  const log = await connectReader(logSettings(settings, 'replay'));
  try {
    return (await log.extents(0)).commands;
  } finally {
    await log.close();
  }
}
