import { judge, unknown, type WalletAnswer } from '../../../src/wallet/client/answer.ts';
import type { WalletCall } from '../../../src/wallet/client/brand-client.ts';
import { walletLimits } from '../../../src/wallet/client/limits.ts';
import type { MoneyPurpose } from '../../../src/wallet/client/policies.ts';
import type { MoneyClient, MoneyClients } from '../../../src/wallet/execution/queues.ts';
import type { SimNode } from '../../support/sim-server.ts';
import type { SimWorld } from '../../support/sim-world.ts';
import { ModelWallet, type Reply, refusal } from './model-wallet.ts';
import { SentCalls } from './sent-calls.ts';

/** What the network and the wallet's front can do to one call. */
export const callFaults = [
  /** It never arrives, and the connection is cut. */
  'reset',
  /** It never arrives, and nobody says so. */
  'silent',
  /** It is done, and the answer is lost. */
  'dropped',
  'failed_after_commit',
  'failed_before_commit',
  'garbage',
  /** 401: a key that is revoked in between. */
  'unauthorized',
  /** It is done, and answered when nobody waits any more. */
  'slow',
  /** It arrives when nobody waits any more, behind whatever was sent after it. */
  'late',
  /** It arrives once more, much later. */
  'twice',
  /** A debit that the wallet refuses this time. */
  'refused',
] as const;
export type CallFault = (typeof callFaults)[number];

const dropped = 'dropped';
type Arrival = Reply | typeof dropped;

/** The wallets of all brands and the network in front of them. */
export class WalletNetwork {
  readonly world: SimWorld;
  readonly sent = new SentCalls();
  readonly seen = new Map<CallFault | 'down' | 'breaker', number>();
  readonly #wallets = new Map<string, ModelWallet>();
  readonly #down = new Set<string>();
  /** Part of the calls that meet a fault, of cancellations too, and the faults that they may meet. */
  faultRate = 0;
  cancelFaultRate = 0;
  faults: readonly CallFault[] = callFaults;
  hasTombstones = true;
  remembersRefusals = true;
  /** Told when a call is sent, once it has arrived, before its answer is taken, and before and behind a report. */
  step: (node: SimNode, isBeforeReport?: boolean) => void = () => {};
  /** Planted bugs change calls here. */
  alter: (call: WalletCall) => WalletCall = (call) => call;

  constructor(world: SimWorld) {
    this.world = world;
  }

  of(brand: string): ModelWallet {
    const known = this.#wallets.get(brand);
    if (known !== undefined) return known;
    const made = new ModelWallet();
    made.hasTombstones = this.hasTombstones;
    made.remembersRefusals = this.remembersRefusals;
    this.#wallets.set(brand, made);
    return made;
  }

  all(): Iterable<ModelWallet> {
    return this.#wallets.values();
  }

  setDown(brand: string, down: boolean): void {
    if (down) this.#down.add(brand);
    else this.#down.delete(brand);
  }

  isDown(brand: string): boolean {
    return this.#down.has(brand);
  }

  /** Carries a call to the wallet; `answered` may never be called, or when nobody waits any more. */
  carry(brand: string, call: WalletCall, node: SimNode, answered: (arrival: Arrival) => void): void {
    const { world } = this;
    const fault = this.#faultOf(brand, call);
    const wayMs = world.chance(0.05) ? world.between(100, 900) : world.between(1, 30);
    const arrive = (delayMs: number, then: (reply: Reply) => void): void =>
      void world.schedule(delayMs, () => {
        const reply = this.of(brand).execute(call, fault !== 'refused');
        this.step(node);
        then(reply);
      });
    const back = (arrival: Arrival, delayMs = world.between(1, 30)): void =>
      void world.schedule(delayMs, () => answered(arrival));
    switch (fault) {
      case null:
      case 'refused':
        arrive(wayMs, back);
        break;
      case 'down':
        if (world.chance(0.5)) back(dropped);
        break;
      case 'reset':
        back(dropped);
        break;
      case 'silent':
        break;
      case 'dropped':
        arrive(wayMs, () => back(dropped));
        break;
      case 'failed_after_commit':
        arrive(wayMs, () => back({ status: 500, text: '{}' }));
        break;
      case 'failed_before_commit':
        back({ status: 503, text: 'busy' });
        break;
      case 'garbage':
        arrive(wayMs, () => back({ status: 200, text: '<html>' }));
        break;
      case 'unauthorized':
        back(refusal(401, 'unauthorized'));
        break;
      case 'slow':
        arrive(wayMs, (reply) => back(reply, world.between(2_000, 8_000)));
        break;
      case 'late':
        arrive(world.between(2_000, 30_000), () => {});
        break;
      case 'twice':
        arrive(wayMs, back);
        arrive(world.between(500, 30_000), () => {});
        break;
    }
  }

  #faultOf(brand: string, { name, body }: WalletCall): CallFault | 'down' | null {
    const { world } = this;
    if (this.isDown(brand)) return this.#saw('down');
    const isCancel = name === 'W2' || name === 'W5';
    if (!world.chance(isCancel ? this.cancelFaultRate : this.faultRate)) return null;
    const fault = this.faults[world.between(0, this.faults.length - 1)]!;
    const isDebit = !isCancel && Buffer.from(body).includes('"transaction_type":"Debit"');
    return fault === 'refused' && !isDebit ? null : this.#saw(fault);
  }

  #saw<T extends CallFault | 'down' | 'breaker'>(what: T): T {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
    return what;
  }

  sawBreaker(): void {
    this.#saw('breaker');
  }
}

/** The clients of one wallet process: its timeouts, and a breaker for each brand and purpose as the real ones have. */
export class NetworkClients implements MoneyClients {
  readonly #network: WalletNetwork;
  readonly #node: SimNode;
  readonly #breakers = new Map<string, { failures: number; openUntilMs: number }>();
  /** Until then this process has not read the settings of wallets. */
  readonly #knowsFromMs: number;
  #recovered: (brand: string, purpose: MoneyPurpose) => void = () => {};

  constructor(network: WalletNetwork, node: SimNode, knowsFromMs: number) {
    this.#network = network;
    this.#node = node;
    this.#knowsFromMs = knowsFromMs;
  }

  of(brand: string): MoneyClient | undefined {
    if (this.#network.world.nowMs < this.#knowsFromMs) return undefined;
    return {
      attempt: (call, purpose, timeoutMs) => this.#attempt(brand, call, purpose, timeoutMs),
      mayAttempt: (purpose) =>
        this.#breakerOf(`${brand} ${purpose}`).openUntilMs <= this.#network.world.nowMs,
    };
  }

  onRecovery(recovered: (brand: string, purpose: MoneyPurpose) => void): void {
    this.#recovered = recovered;
  }

  async #attempt(
    brand: string,
    given: WalletCall,
    purpose: MoneyPurpose,
    timeoutMs: number = walletLimits.tryTimeoutMs,
  ): Promise<WalletAnswer> {
    const { world } = this.#network;
    const breaker = this.#breakerOf(`${brand} ${purpose}`);
    if (breaker.openUntilMs > world.nowMs) {
      this.#network.sawBreaker();
      return unknown('breaker_open');
    }
    const answer = await this.#send(brand, this.#network.alter(given), timeoutMs);
    if (answer.kind === 'unknown') {
      breaker.failures += 1;
      if (breaker.failures >= walletLimits.failuresToOpen)
        breaker.openUntilMs = world.nowMs + walletLimits.halfOpenAfterMs;
      return answer;
    }
    const hasRecovered = breaker.failures >= walletLimits.failuresToOpen;
    breaker.failures = 0;
    if (hasRecovered) this.#recovered(brand, purpose);
    return answer;
  }

  #send(brand: string, call: WalletCall, timeoutMs: number): Promise<WalletAnswer> {
    const network = this.#network;
    const node = this.#node;
    return new Promise((resolve) => {
      if (!node.alive) return;
      network.sent.add(call, network.world.nowMs);
      const cancel = node.after(timeoutMs, () => resolve(unknown('no_answer')));
      network.carry(brand, call, node, (arrival) =>
        node.run(() => {
          network.step(node);
          node.run(() => {
            cancel();
            resolve(
              arrival === dropped ? unknown('no_answer') : judge(arrival.status, arrival.text, call.isAnswer),
            );
          });
        }),
      );
      network.step(node);
    });
  }

  #breakerOf(key: string) {
    const known = this.#breakers.get(key);
    if (known !== undefined) return known;
    const made = { failures: 0, openUntilMs: 0 };
    this.#breakers.set(key, made);
    return made;
  }
}
