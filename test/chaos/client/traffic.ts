import { setTimeout as pause } from 'node:timers/promises';
import { parseAmount } from '../../../src/lib/money.ts';
import type { Random } from '../../jackpot/mixed/random.ts';
import { repeatedHeaders } from '../../support/operator-client.ts';
import type { Answer, Sent } from '../check/ledger.ts';
import type { ChaosOperator, Kind } from './operators.ts';

/** Time of one try; a balancer before the gateways would give up sooner. */
const tryMs = 6_000;
const retryEveryMs = 50;
/** Of one contribution, however long the fault lasts. */
const giveUpAfterMs = 240_000;
const senderPauseMs = 8;
const pausePollMs = 5;
/** So often a sender asks for an earlier key again. */
const repeatsOneOf = 12;
const retryable = new Set([408, 409, 429, 500, 502, 503, 504]);

interface Entry extends Sent {
  readonly player: number;
  readonly wager: string;
  readonly answers: Answer[];
}

interface Sender {
  readonly operator: ChaosOperator;
  readonly player: number;
  readonly entries: Entry[];
  gateway: number;
}

/** Contributions, each repeated under its key at one gateway or the other until it has an answer; the client's ledger. */
export class Traffic {
  readonly #gatewayUrls: readonly string[];
  readonly #random: Random;
  readonly #tokens = new Map<string, string>();
  readonly #senders: Sender[] = [];
  readonly #times: Record<Kind, number[]> = { free: [], paid: [] };
  readonly #errors = new Map<string, number>();
  readonly #faults: string[] = [];
  #running = false;
  #paused = false;
  /** Senders that wait for the end of a pause, or have ended. */
  #idle = 0;
  #loops: Promise<void>[] = [];

  constructor(gatewayUrls: readonly string[], random: Random) {
    this.#gatewayUrls = gatewayUrls;
    this.#random = random;
  }

  /** What clients saw beside answers, each with how often. */
  get errors(): ReadonlyMap<string, number> {
    return this.#errors;
  }

  /** Refusals of what must be accepted, and contributions without an answer. */
  get faults(): readonly string[] {
    return this.#faults;
  }

  get sent(): readonly Sent[] {
    return this.#senders.flatMap(({ entries }) => entries);
  }

  /** How many answers came, by the kind of contribution. */
  answered(kind: Kind): number {
    return this.#times[kind].length;
  }

  /** The longest time without an answer between two moments of `performance.now()`. */
  gap(kind: Kind, fromMs: number, toMs: number): number {
    const times = this.#times[kind].filter((atMs) => atMs >= fromMs && atMs <= toMs);
    let before = fromMs;
    let longest = 0;
    for (const atMs of [...times, toMs]) {
      longest = Math.max(longest, atMs - before);
      before = atMs;
    }
    return longest;
  }

  start(operator: ChaosOperator, senders: number): void {
    this.#running = true;
    for (let n = 0; n < senders; n += 1) {
      const player = this.#senders.length;
      const sender = { operator, player, entries: [], gateway: player % this.#gatewayUrls.length };
      this.#senders.push(sender);
      this.#loops.push(this.#loop(sender));
    }
  }

  /** Resolves when every contribution under way has its answer. */
  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#loops);
  }

  /** Resolves when every contribution under way has its answer; no sender begins another one. */
  async pause(): Promise<void> {
    this.#paused = true;
    while (this.#idle < this.#loops.length) await pause(pausePollMs);
  }

  resume(): void {
    this.#paused = false;
  }

  /** One try for some keys that were answered, whatever comes back. */
  async probe(count: number): Promise<Probe> {
    const refused = new Map<string, number>();
    const wrong: string[] = [];
    let same = 0;
    for (let n = 0; n < count; n += 1) {
      const sender = this.#random.pick(...this.#senders.filter(({ operator }) => operator.kind === 'free'));
      const entry = this.#random.pick(...sender.entries);
      const [first] = entry.answers;
      if (first === undefined) continue;
      const { status, reason, answer } = await this.#once(sender, entry);
      if (answer === null) refused.set(reason, (refused.get(reason) ?? 0) + 1);
      else if (status === 204 && answer.text === first.text) same += 1;
      else wrong.push(`${entry.key}: a repeat was answered ${status} ${answer.text}, at first ${first.text}`);
    }
    return { same, wrong, refused };
  }

  /** Asks for every key again. */
  async repeatAll(): Promise<void> {
    await Promise.all(
      this.#senders.map(async (sender) => {
        for (const entry of sender.entries) if (entry.answers.length > 0) await this.#repeat(sender, entry);
      }),
    );
  }

  async #loop(sender: Sender): Promise<void> {
    const { operator, player, entries } = sender;
    for (let n = 0; this.#running; n += 1) {
      await this.#endOfPause();
      const wager = this.#random.pick(...operator.wagers);
      const parsed = parseAmount(wager);
      if (!parsed.ok) throw new Error(`${wager} is no amount`);
      const entry: Entry = {
        operator: operator.operator,
        player,
        key: `${operator.kind}-${player}-${n}`,
        wager,
        wagerAtoms: parsed.atoms,
        contributionAtoms: operator.contributionOf(parsed.atoms),
        answers: [],
      };
      entries.push(entry);
      if ((await this.#surely(sender, entry)) === null) break;
      this.#times[operator.kind].push(performance.now());
      if (this.#random.once(repeatsOneOf))
        await this.#repeat(sender, entries[this.#random.below(entries.length)] as Entry);
      await pause(senderPauseMs);
    }
    this.#idle += 1;
  }

  async #endOfPause(): Promise<void> {
    if (!this.#paused) return;
    this.#idle += 1;
    while (this.#paused && this.#running) await pause(pausePollMs);
    this.#idle -= 1;
  }

  /** A repeat of an answered key has the same answer, as 204. */
  async #repeat(sender: Sender, entry: Entry): Promise<void> {
    const status = await this.#surely(sender, entry);
    if (status !== null && status !== 204) this.#faults.push(`${entry.key}: a repeat was answered ${status}`);
  }

  /** null: it was refused, or never answered. */
  async #surely(sender: Sender, entry: Entry): Promise<number | null> {
    const untilMs = performance.now() + giveUpAfterMs;
    for (;;) {
      const { status, reason, answer } = await this.#once(sender, entry);
      if (status === 200 || status === 204) {
        entry.answers.push(answer as Answer);
        return status;
      }
      if (status !== null && !retryable.has(status) && status !== 401) {
        this.#faults.push(`${entry.key}: refused, ${reason}`);
        return null;
      }
      this.#errors.set(reason, (this.#errors.get(reason) ?? 0) + 1);
      sender.gateway = (sender.gateway + 1) % this.#gatewayUrls.length;
      if (performance.now() > untilMs) {
        this.#faults.push(`${entry.key}: no answer, ${reason}`);
        return null;
      }
      await pause(retryEveryMs);
    }
  }

  async #once({ operator, gateway }: Sender, { player, key, wager }: Entry): Promise<Tried> {
    const baseUrl = this.#gatewayUrls[gateway] as string;
    try {
      const token = await this.#tokenOf(operator, baseUrl);
      const answer = await fetch(`${baseUrl}/v1/jackpot/instances/${operator.instance}/contributions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(operator.body(player, key, wager)),
        signal: AbortSignal.timeout(tryMs),
      });
      const text = await answer.text();
      const { status, headers } = answer;
      if (status === 401) this.#tokens.delete(operator.operator);
      if (status !== 200 && status !== 204)
        return { status, reason: `${status} ${codeOf(text)}`, answer: null };
      const contributionId = headers.get('x-contribution-id') ?? '';
      const repeated = repeatedHeaders.map((name) => headers.get(name) ?? '').join(' | ');
      return { status, reason: '', answer: { contributionId, text: repeated } };
    } catch (error) {
      return { status: null, reason: reasonOf(error), answer: null };
    }
  }

  async #tokenOf({ operator, service }: ChaosOperator, baseUrl: string): Promise<string> {
    const known = this.#tokens.get(operator);
    if (known !== undefined) return known;
    const answer = await fetch(`${baseUrl}/v1/auth/service`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(service),
      signal: AbortSignal.timeout(tryMs),
    });
    if (answer.status !== 200) throw new Error(`login ${answer.status}`);
    const { token } = (await answer.json()) as { token: string };
    this.#tokens.set(operator, token);
    return token;
  }
}

/** What became of a probe. */
export interface Probe {
  /** Answered as before. */
  readonly same: number;
  /** Answered in another way: each with both answers. */
  readonly wrong: readonly string[];
  /** Not answered, by the reason. */
  readonly refused: ReadonlyMap<string, number>;
}

interface Tried {
  /** null: there was no answer. */
  readonly status: number | null;
  readonly reason: string;
  readonly answer: Answer | null;
}

function codeOf(text: string): string {
  try {
    return (JSON.parse(text) as { code?: string }).code ?? '';
  } catch {
    return '';
  }
}

function reasonOf(error: unknown): string {
  if ((error as Error).name === 'TimeoutError') return 'no answer in time';
  const cause = (error as { cause?: { code?: string } }).cause?.code;
  return cause ?? (error as Error).message;
}
