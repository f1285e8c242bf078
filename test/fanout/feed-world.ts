import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import WebSocket from 'ws';
import { type Access, openAccess } from '../../src/access/access.ts';
import type { PlayerTokenAnswer } from '../../src/access/players/player-tokens.ts';
import type { CorsRule } from '../../src/contracts/directory/cors.ts';
import type { DirectoryEntry } from '../../src/contracts/directory/directory.ts';
import { encodeForeignEvent, type ForeignEvent } from '../../src/contracts/feeds/feed.ts';
import type {
  PlayerIdentity,
  PlayerTokenQuestion,
  TokenCaller,
} from '../../src/contracts/payments/player-authentication.ts';
import { encodeRevokedPlayerToken } from '../../src/contracts/payments/player-authentication.ts';
import { ReadModel } from '../../src/directory/read-model.ts';
import type { EngineChoice } from '../../src/fanout/engines/engine.ts';
import { type Fanout, startFanout } from '../../src/fanout/server/fanout.ts';
import { answerTickets } from '../../src/gateway/api/services/feed-tickets.ts';
import { feedSubject } from '../../src/log/base/names.ts';
import { encodeHeartbeat, encodeOutcomeRecord } from '../../src/messages/codec/codec.ts';
import type { LaneEvent } from '../../src/messages/events.ts';
import type { InstanceDescription, LiveValues } from '../../src/messages/records.ts';
import type { CreditKind, CreditState } from '../../src/messages/settlements.ts';
import { makeServiceUser } from '../support/accounts.ts';
import { type SimNode, SimServer } from '../support/sim-server.ts';
import { SimWorld } from '../support/sim-world.ts';
import { frameCheck } from './described.ts';

const stepMs = 5;
/** Every frame is compared with the AsyncAPI document. */
const undescribed = frameCheck();

/** The websocket engine of every fan-out that is started. */
export const feedEngine: { name: EngineChoice } = { name: 'auto' };

/** The fan-out on a simulated log, whose clock follows the real one and can be moved ahead, with real websockets. */
export class FeedWorld {
  readonly world = new SimWorld(7);
  readonly server: SimServer;
  readonly readModel: ReadModel;
  readonly sockets: TestSocket[] = [];
  access!: Access;
  fanout!: Fanout;
  /** A gateway that redeems tickets. */
  gatewayAnswers!: { stop(): void };
  /** Token → whose it is, as the wallet says: `player-1@demo:main`. */
  readonly wallet = new Map<string, string>();
  /** What the wallet says of a token beside that; else the operator of the brand, and the currency that it is asked about. */
  readonly walletSays = new Map<string, Partial<PlayerIdentity>>();
  walletAnswers = true;
  /** What frontends are told instead. */
  turnedAway: Extract<PlayerTokenAnswer, { kind: 'busy' | 'limited' }> | null = null;
  readonly callers: TokenCaller[] = [];
  /** How often the wallet was asked. */
  walletQuestions = 0;
  readonly #lanes: number;
  readonly #node: SimNode;
  readonly #other: SimNode;
  readonly #keys = mkdtempSync(join(tmpdir(), 'potstream-fanout-'));
  #driver: NodeJS.Timeout | undefined;
  #moving: Promise<void> = Promise.resolve();

  /** Lane 0 is read; whatever others there are say nothing yet. */
  constructor(lanes = 1) {
    this.#lanes = lanes;
    this.server = new SimServer(this.world, lanes);
    this.readModel = new ReadModel(lanes);
    this.#node = this.server.connect('fanout');
    this.#other = this.server.connect('other');
  }

  async start(options: FeedOptions = {}): Promise<void> {
    this.#driver = setInterval(() => {
      if (this.ownerBeats) this.#beat();
      void this.advance(stepMs);
    }, stepMs);
    const clock = this.world.clock(() => true);
    this.access = await openAccess(await this.#node.log.table('ACCOUNTS'), {
      clock,
      random: this.world.random(),
      keysDirectory: this.#keys,
      tickets: await this.#node.log.table('TICKETS'),
    });
    this.gatewayAnswers = answerTickets(
      this.#other.bus,
      'tickets.redeem',
      this.access.feedTickets,
      console.error,
    );
    this.readModel.directoryCurrent();
    this.readModel.laneCurrent(0);
    await this.startFanout(options);
  }

  /** The lane's owner is heard, as often as time goes on. */
  ownerBeats = true;

  #beat(): void {
    const far = { lane: 0, host: 'h', term: 1, appliedSequence: 0, storedOutcome: 0 };
    this.#other.bus.publish('heartbeat.0', encodeHeartbeat({ ...far, condition: 'serving', code: '' }));
  }

  /** A fan-out that begins anew, as after a restart. */
  async startFanout(options: FeedOptions = {}): Promise<void> {
    this.fanout = await startFanout(
      {
        log: this.#node.log,
        bus: this.#node.bus,
        clock: this.world.clock(() => true),
        random: this.world.random(),
        access: this.access,
        players: { authenticate: (question) => this.#authenticate(question) },
        subjects: {
          foreignEvents: 'feed.*',
          revokedTokens: 'wallet.revoked',
          heartbeats: 'heartbeat.*',
          players: 'feeds.players',
          tickets: 'tickets.redeem',
        },
        readModel: this.readModel,
        alarm: (message, error) => console.error(message, error),
      },
      { lanes: this.#lanes, port: 0, engine: feedEngine.name, ...options },
    );
    await until(() => this.fanout.unready() === null);
  }

  /** Lets the simulated time pass; in turn with the driver. */
  advance(durationMs: number): Promise<void> {
    this.#moving = this.#moving.then(() => this.world.passes(durationMs));
    return this.#moving;
  }

  async token(operator = 'demo', brands: readonly string[] | null = null): Promise<string> {
    const username = `feed-${operator}-${brands?.join('-') ?? 'all'}-${Math.random()}`;
    const clock = this.world.clock(() => true);
    const ports = { access: this.access, clock, random: { bytes: (count: number) => randomBytes(count) } };
    return this.access.tokens.issueFeed(await makeServiceUser(ports, { username, operator, brands }));
  }

  async connect(token?: string): Promise<TestSocket> {
    const socket = new TestSocket(this.url(token ?? (await this.token())));
    this.sockets.push(socket);
    await socket.opened;
    return socket;
  }

  /** O21 as that player, with a token that the wallet authenticates. */
  async connectPlayer(player: string, currency = 'EUR', brand = 'demo:main'): Promise<TestSocket> {
    const token = `token-of-${player}@${brand}`;
    this.wallet.set(token, `${player}@${brand}`);
    return this.open(this.playerPath(token, currency, brand));
  }

  playerPath(token: string, currency: string, brand = 'demo:main'): string {
    const [operator, name] = brand.split(':');
    return `/events/${operator}/${name}?token=${encodeURIComponent(token)}&currency=${currency}`;
  }

  async open(path: string, headers: Record<string, string> = {}): Promise<TestSocket> {
    const socket = new TestSocket(`ws://127.0.0.1:${this.fanout.port}${path}`, headers);
    this.sockets.push(socket);
    await socket.opened;
    return socket;
  }

  /** The wallet takes a token back and says so. */
  revoke(brand: string, token: string): void {
    this.wallet.delete(token);
    this.#other.bus.publish('wallet.revoked', encodeRevokedPlayerToken({ brand, token }));
  }

  /** What POST /v1/events brings. */
  bring(event: ForeignEvent): void {
    const [operator = ''] = event.brand.split(':');
    this.#other.bus.publish(feedSubject(operator), encodeForeignEvent(event));
  }

  addBrand(path: string, changes: BrandChanges = {}): void {
    const [operator = ''] = path.split(':');
    const named = { name: path, enabled: true, created_timestamp: 1 };
    this.set({ kind: 'operator', id: operator, ...named });
    const money = {
      provider: '',
      close_rounds: false,
      batch_debits: false,
      verification_limit: null,
      verification_currency: '',
    };
    this.set({ kind: 'brand', path, ...named, salt: '', wallet: true, ...money, ...changes });
  }

  setRates(brand: string, multipliers: Record<string, string>): void {
    const version = this.readModel.revision + 1;
    const table = { base_currency: 'EUR', multipliers, exponents: {}, updated: 1 };
    this.set({ kind: 'rates', brand, version, ...table });
  }

  setCorsRules(rules: CorsRule[]): void {
    this.set({ kind: 'cors', rules });
  }

  set(entry: DirectoryEntry): void {
    this.readModel.directoryChanged({ kind: 'set', entry }, this.readModel.revision + 1);
  }

  connections(): number {
    return this.fanout.connections.size;
  }

  /** What sockets have said has been taken in: messages of a socket are, in their order, and its ping behind them. */
  async settled(): Promise<void> {
    const open = this.sockets.filter(({ raw }) => raw.readyState === WebSocket.OPEN);
    await Promise.all(open.map((socket) => socket.answersPing()));
  }

  /** Shows another token of the same owner; that counts from now on. */
  async renew(socket: TestSocket, token: string): Promise<void> {
    const credentials = () => [...this.fanout.connections].map(({ credential }) => credential);
    const before = new Set(credentials());
    socket.say({ RefreshTokenRequest: { token } });
    await until(() => credentials().some((credential) => !before.has(credential)));
  }

  url(token: string): string {
    return `ws://127.0.0.1:${this.fanout.port}/events/service?token=${encodeURIComponent(token)}`;
  }

  addInstance(id: string, changes: Partial<InstanceDescription> = {}, lane = 0): void {
    const description = describeInstance(id, changes);
    this.readModel.laneState(lane, 1, [{ description, liveValues: describedLiveValues(description) }], []);
  }

  tick(id: string, sequence: number, currentAtoms: bigint): void {
    const known = this.readModel.known(id);
    if (known === undefined) throw new Error(`no instance ${id}`);
    const pots = known.liveValues.pots.map((pot) => ({ ...pot, currentAtoms }));
    const head = new Uint8Array(32).fill(sequence % 256);
    this.readModel.laneLiveValues(0, sequence, [{ ...known.liveValues, sequence, head, pots }]);
  }

  /** Stores an outcome record with these events. */
  store(events: readonly LaneEvent[]): void {
    const sequence = this.server.lane(0).outcomes.length + 1;
    const record = {
      sequence,
      timestampMs: this.world.nowMs,
      laneHead: new Uint8Array(32),
      instances: [],
      outcomes: [],
      events,
      work: [],
    };
    const routing = { wallet: false, hooks: false, events: events.length > 0 };
    this.server.appendOutcome(0, sequence, routing, encodeOutcomeRecord(record));
  }

  async #authenticate({ brand, token, currency, caller }: PlayerTokenQuestion): Promise<PlayerTokenAnswer> {
    this.walletQuestions += 1;
    this.callers.push(caller);
    if (this.turnedAway !== null && caller.kind === 'frontend') return this.turnedAway;
    if (!this.walletAnswers) return { kind: 'unknown' };
    const [player = '', of = ''] = (this.wallet.get(token) ?? '').split('@');
    if (player === '') return { kind: 'refused' };
    const operator = of.split(':')[0] ?? '';
    const unsaid = { country: null, segments: null, maxBetAtoms: null };
    const said = { brand: of === '*' ? brand : of, currency, ...this.walletSays.get(token) };
    const identity = { player, operator, ...unsaid, ...said };
    return { kind: 'authenticated', identity, ageMs: 0 };
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.terminate();
    await this.fanout.stop();
    await this.access.stop();
    clearInterval(this.#driver);
    rmSync(this.#keys, { recursive: true });
  }
}

interface BrandChanges {
  readonly wallet?: boolean;
  readonly enabled?: boolean;
  readonly public_feed?: boolean;
  readonly public_winners?: boolean;
}

interface FeedOptions {
  readonly unidentifiedLimit?: number;
  readonly socketsLimit?: number;
  readonly publicFeedsPerAddress?: number;
  readonly statusPeriodMs?: number;
}

// biome-ignore lint/suspicious/noExplicitAny: what a client gets is looked at, not typed.
export type Frame = any;

export class TestSocket {
  readonly frames: Frame[] = [];
  /** The same as they came. */
  readonly texts: string[] = [];
  readonly opened: Promise<void>;
  closeCode: number | null = null;
  readonly raw: WebSocket;

  constructor(url: string, headers: Record<string, string> = {}) {
    this.raw = new WebSocket(url, { headers });
    this.raw.on('message', (data) => {
      const frame: Frame = JSON.parse(String(data));
      const fault = undescribed(frame, url.includes('/v1/public/'));
      if (fault !== null) throw new Error(`Not as /v1/asyncapi.json says: ${fault}`);
      this.texts.push(String(data));
      this.frames.push(frame);
    });
    this.raw.on('close', (code) => {
      this.closeCode = code;
    });
    this.opened = new Promise((resolve, reject) => {
      this.raw.once('open', resolve);
      this.raw.once('error', reject);
    });
  }

  say(message: unknown): void {
    this.raw.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  subscribe(entry: Record<string, unknown> = {}): void {
    this.say({ SubscribeRequest: { events: [{ source: 'jackpot', event_type: '*', ...entry }] } });
  }

  answersPing(): Promise<void> {
    const answered = new Promise<void>((resolve) => this.raw.once('pong', () => resolve()));
    this.raw.ping();
    return answered;
  }

  of(eventType: string): Frame[] {
    return this.frames.filter((frame) => frame.event_type === eventType);
  }

  terminate(): void {
    this.raw.terminate();
  }
}

export async function until(done: () => boolean, withinMs = 60_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!done()) {
    if (performance.now() > deadline) throw new Error('It did not happen in time.');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export function won(instance: string, counter: number, changes: Partial<LaneEvent & { kind: 'Won' }> = {}) {
  return {
    kind: 'Won' as const,
    instance,
    counter,
    sequence: counter * 10,
    contributionId: new Uint8Array(16),
    gameround: 'round',
    pot: 'main',
    instanceCount: 1,
    currency: 'EUR',
    rateVersion: 1,
    winner: share('demo:main', 'player-1', 123_45000000n),
    community: [share('other:brand', 'stranger', 5_00000000n)],
    seedAtoms: 10_00000000n,
    seedDeficitAtoms: 0n,
    withheld: false,
    external: false,
    eventMetadata: '{"campaign":"x"}',
    ...changes,
  };
}

export function optedIn(instance: string, brand: string, player: string): LaneEvent {
  return {
    kind: 'OptInChanged',
    status: {
      instance,
      brand,
      player,
      optedIn: true,
      preferences: [['EUR', 50000000n]],
      contributionCount: 2,
      contributionAtoms: 2_00000000n,
      pots: [['main', 2, 2_00000000n]],
      lastUpdatedMs: 1,
    },
  };
}

export function ticketsAwarded(instance: string, brand: string, player: string): LaneEvent {
  const record = {
    instance,
    brand,
    player,
    ticketCount: 3,
    accumulatedAtoms: 50000000n,
    startMs: 1,
    endMs: 2,
  };
  return { kind: 'TicketsAwarded', first: 0, count: 3, record };
}

export function payoutChanged(kind: CreditKind, state: CreditState): LaneEvent {
  const credit = {
    number: 1,
    transactionId: '00000000-0000-5000-8000-000000000000',
    batchId: '',
    kind,
    state,
    instance: 'pot-1',
    pot: 'main',
    instanceCount: 1,
    sequence: 1,
    brand: 'demo:main',
    player: 'player-1',
    amountAtoms: 12_50000000n,
    currency: 'EUR',
    paidAtoms: 13_75000000n,
    paidCurrency: 'USD',
    backAtoms: 12_50000000n,
    rateVersion: 1,
    contributionId: '00000000-0000-4000-8000-000000000000',
    source: 'slot-1',
    provider: 'provider',
    wallet: true,
    openedMs: 1,
    changedMs: 1,
    reason: '',
  };
  return { kind: 'PayoutChanged', credit };
}

export function raffleWon(instance: string, counter: number, brand: string, player: string): LaneEvent {
  return {
    kind: 'RaffleWon',
    instance,
    counter,
    sequence: counter * 10,
    round: 1,
    pot: 'main',
    instanceCount: 1,
    currency: 'EUR',
    winners: [{ brand, player, tier: 0, ticket: 7, amountAtoms: 2_00000000n, withheld: false }],
    tickets: 9,
    seedAtoms: 0n,
    seedDeficitAtoms: 0n,
  };
}

export function statusChanged(instance: string, counter: number, status: string): LaneEvent {
  return { kind: 'StatusChanged', instance, counter, status, reason: 'test' };
}

export function share(brand: string, player: string, amountAtoms: bigint) {
  return { brand, player, amountAtoms, paidAtoms: amountAtoms, paidCurrency: 'EUR' };
}

export function describeInstance(id: string, changes: Partial<InstanceDescription>): InstanceDescription {
  return {
    instance: id,
    group: 'demo',
    owner: 'demo',
    templateOwner: 'demo',
    template: 'template',
    name: id,
    description: '',
    gameCode: '',
    status: 'Active',
    version: 1,
    createdMs: 1,
    lastUpdatedMs: 1_700_000_000_000,
    timestampStartMs: 1,
    timestampEndMs: null,
    totalContributions: 0,
    sequence: 1,
    links: [],
    switchedTo: '',
    configuration: {
      currency: 'EUR',
      jackpot_type: 'Jackpot',
      contribution_rules: { allowed_brands: ['demo:main'] },
      pots: [
        {
          id: 'main',
          is_progressive: true,
          payout_ruleset: { payout_rules: [{ payout_percentage: '0.1' }, { payout_percentage: '0.05' }] },
        },
      ],
    },
    house: {
      currentAtoms: 0n,
      seedDeficitAtoms: 0n,
      diversionAtoms: 0n,
      totalContributions: 0,
      createdMs: 1,
    },
    pots: [
      {
        pot: 'main',
        enabled: true,
        instanceCount: 1,
        createdMs: 1,
        currentAtoms: 100_00000000n,
        seedAtoms: 0n,
        surplusAtoms: 0n,
        overflowAtoms: 0n,
        carryAtoms: 0n,
        contributedAtoms: 0n,
        contributedSeedAtoms: 0n,
        initialCostAtoms: 0n,
        totalContributions: 0,
      },
    ],
    head: new Uint8Array(32).fill(0xab),
    epoch: 0,
    pendingConfiguration: null,
    eventCounter: 0,
    ...changes,
  };
}

export function describedLiveValues(description: InstanceDescription): LiveValues {
  return {
    instance: description.instance,
    sequence: description.sequence,
    version: description.version,
    status: description.status,
    pots: description.pots,
    head: description.head,
    epoch: description.epoch,
    lastUpdatedMs: description.lastUpdatedMs,
  };
}
