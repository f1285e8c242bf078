import { setTimeout as pause } from 'node:timers/promises';
import { scaled } from '../../jackpot/checks/scale.ts';
import type { Random } from '../../jackpot/mixed/random.ts';
import {
  brands,
  type CampaignBrand,
  type InstanceKind,
  owner,
  type Payers,
  playerName,
  players,
  poorPlayers,
  tokenOf,
} from './payers.ts';
import type { Moments } from './steps.ts';

/** A part of the campaign leaves the processor to the tests beside it; its callers still have requests under way at every moment. */
const betweenMs = scaled(120, 0);
const retryEveryMs = 100;
const tryMs = 15_000;
/** Of one contribution, however often processes die meanwhile. */
const giveUpAfterMs = 300_000;
const retryable = new Set([408, 409, 429, 500, 502, 503, 504]);

interface Asked {
  readonly path: string;
  readonly body: unknown;
  readonly kind: InstanceKind;
  readonly brand: CampaignBrand;
  readonly player: string;
  readonly isCallback: boolean;
  readonly winOnly: boolean;
}

/** A contribution whose caller has a definite answer. */
export interface Answered extends Pick<Asked, 'kind' | 'brand' | 'player' | 'isCallback' | 'winOnly'> {
  readonly status: number;
  readonly contributionId: string;
  /** Of the answer; of callbacks it comes with the event. */
  readonly win: string;
}

/** Callers that repeat each contribution under its key until they know what became of it. */
export class Traffic {
  readonly answered: Answered[] = [];
  tries = 0;
  readonly failures: string[] = [];
  readonly #payers: Payers;
  readonly #callbackUrl: string;
  readonly #moments: Moments;
  readonly #random: Random;
  #running = true;
  #keys = 0;
  #callers: Promise<void>[] = [];

  constructor(payers: Payers, callbackUrl: string, moments: Moments, random: Random) {
    this.#payers = payers;
    this.#callbackUrl = callbackUrl;
    this.#moments = moments;
    this.#random = random;
  }

  start(callers: number): void {
    this.#callers = Array.from({ length: callers }, () => this.#call());
  }

  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#callers);
  }

  get accepted(): number {
    return this.answered.filter(({ status }) => status < 300).length;
  }

  async #call(): Promise<void> {
    while (this.#running) {
      const asked = this.#next();
      try {
        this.answered.push(await this.#surely(asked));
        if (betweenMs > 0) await pause(betweenMs);
      } catch (error) {
        this.failures.push(String(error));
        return;
      }
    }
  }

  async #surely(asked: Asked): Promise<Answered> {
    const untilMs = performance.now() + giveUpAfterMs;
    let last = '';
    while (performance.now() < untilMs) {
      const answer = await this.#once(asked).catch(() => null);
      if (answer?.status === 401 && !answer.text.includes('player_token')) {
        await this.#payers.login().catch(() => {});
      } else if (answer !== null && !retryable.has(answer.status)) {
        // The wallet has taken the token back; the player gets another session.
        if (answer.status === 401) await this.#payers.giveToken(asked.brand, asked.player);
        const { kind, brand, player, isCallback, winOnly } = asked;
        return { kind, brand, player, isCallback, winOnly, ...answer };
      }
      last = answer === null ? 'no answer' : `${answer.status} ${answer.text}`;
      await pause(retryEveryMs);
    }
    throw new Error(`no definite answer: ${last}`);
  }

  async #once({ path, body }: Asked) {
    this.tries += 1;
    const asking = fetch(`${this.#payers.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.#payers.token}` },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(tryMs),
    });
    setImmediate(() => this.#moments.reached('contribution sent'));
    const answer = await asking;
    this.#moments.reached('contribution answered');
    const text = await answer.text();
    const { headers, status } = answer;
    const contributionId = headers.get('x-contribution-id') ?? '';
    return { status, contributionId, win: headers.get('x-win-amount') || winIn(text), text };
  }

  #next(): Asked {
    this.#keys += 1;
    const random = this.#random;
    const brand = random.pick(...brands);
    const isPoor = random.once(20);
    const player = playerName(isPoor ? players + random.below(poorPlayers) : random.below(players));
    const kind = random.weighted<InstanceKind>([
      [5, 'often'],
      [2, 'half'],
      [2, 'shared'],
      [1, 'raffle'],
    ]);
    const isCallback = random.once(5);
    const winOnly = isCallback && random.once(4);
    const callback = isCallback
      ? { web_hook: `${this.#callbackUrl}/results`, win_result_only: winOnly }
      : null;
    const facts = { kind, brand, player, isCallback, winOnly };
    const instance = this.#payers.instances[kind];
    const key = `key-${this.#keys}`;
    if (random.once(8)) {
      const body = this.#withBonus(instance, brand, player, key, callback);
      return { ...facts, path: '/v2/jackpot/contributions', body };
    }
    const body = {
      token: tokenOf(brand, player),
      ...{ brand_id: brand, player_id: player, player_country: 'DE', currency: 'EUR', base_wager: 1 },
      ...{ gameround_id: `round-${this.#keys}`, idempotency_key: key },
      ...(callback === null ? {} : { callback }),
    };
    return { ...facts, path: `/v1/jackpot/instances/${instance}/contributions`, body };
  }

  /** A part of the stake is bonus money, or all of it: a free bet. */
  #withBonus(instance: string, brand: string, player: string, key: string, callback: unknown): unknown {
    const bonus = { bonus_id: 'welcome', amount: this.#random.pick(0.25, 1), currency: 'EUR' };
    return {
      target: { id: instance, type: 'instance' },
      source: { id: `round-${this.#keys}`, type: 'gameround' },
      operator_id: owner,
      player: { id: player, token: tokenOf(brand, player), country: 'DE', brand_id: brand },
      base_wager: { currency: 'EUR', value: 1 },
      options: { idempotency_key: key, bonus, ...(callback === null ? {} : { callback }) },
    };
  }
}

/** O16 answers with a list of results. */
function winIn(text: string): string {
  const wins = [...text.matchAll(/"win_amount":([0-9.]+)/g)].map(([, amount]) => amount!);
  return wins.find((amount) => Number(amount) > 0) ?? '';
}
