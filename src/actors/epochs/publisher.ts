import type { RevealedRecord } from '../../contracts/jackpots/epochs.ts';
import { pause } from '../../lib/pauses.ts';
import { errorText } from '../../log/base/error-text.ts';
import { isUnreadable, LogError } from '../../ports.ts';
import type { ActorPorts } from '../ports/actor-ports.ts';
import type { EpochFollowing, FollowEpochs, PageLimit } from '../ports/epoch-ports.ts';
import type { Replica } from '../replica/replica.ts';
import { followEpochs } from './follow.ts';
import { EpochPages } from './pages.ts';
import {
  closingAfter,
  firstUnrevealedMessage,
  revealedEpochs,
  type UnpublishedEpoch,
  unpublishedEpochs,
} from './revealed.ts';
import { EpochStore, retryDelayMs } from './store.ts';

const maxQueued = 1000;
const alarmRepeatMs = 600_000;
/** What fails is tried again after five seconds, then ever later. */
const maxRetryAfterMs = 600_000;

/**
 * Publishes revealed epochs in the archive EPOCHS, beside the lane's own work. One replay serves all
 * instances: it begins when the first epoch is to be published, before the first draw of every epoch that is
 * not, and then follows the lane, so each message is replayed once. What a killed owner left out is found by
 * the next one.
 */
export class EpochPublisher {
  readonly #replica: Replica;
  readonly #ports: ActorPorts;
  readonly #pageLimit: PageLimit;
  readonly #store: EpochStore;
  readonly #followEpochs: FollowEpochs;
  /** Revealed ones that are to be written down: the lane forgets them. */
  #revealed: { readonly instance: string; readonly record: RevealedRecord }[] = [];
  #remembering: Promise<void> | null = null;
  #due: UnpublishedEpoch[] = [];
  /** Epochs that the log no longer has in full. */
  readonly #lost = new Set<string>();
  /** There may be epochs that are neither published nor due. */
  #mustSearch = false;
  #running: EpochFollowing | null = null;
  #isFollowing = false;
  #working: Promise<void> | null = null;
  #stopped = false;
  #alarmedAtMs = Number.NEGATIVE_INFINITY;
  #retryAfterMs = retryDelayMs;

  constructor(replica: Replica, ports: ActorPorts, pageLimit: PageLimit) {
    this.#replica = replica;
    this.#ports = ports;
    this.#pageLimit = pageLimit;
    this.#store = new EpochStore(ports, () => this.#stopped);
    this.#followEpochs = ports.followEpochs ?? followEpochs(ports);
  }

  start(): void {
    this.#mustSearch = true;
    this.#begin();
  }

  publish(instance: string, epoch: number): void {
    const { engine } = this.#replica;
    const record = revealedEpochs(engine, instance).find((each) => each.epoch === epoch);
    if (record === undefined || this.#stopped) return;
    if (this.#revealed.length < maxQueued) this.#revealed.push({ instance, record });
    this.#remembering ??= this.#remember();
    // A replay that follows passes it.
    if (this.#isFollowing) return;
    if (this.#due.length < maxQueued) this.#due.push({ instance, epoch, record });
    else this.#mustSearch = true;
    this.#begin();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#running?.stop();
    await this.#working;
    await this.#remembering;
  }

  #begin(): void {
    if (this.#stopped) return;
    this.#working ??= this.#work().catch((error) => {
      this.#working = null;
      this.#ports.monitor.alarm(
        this.#replica.lane,
        'epoch_not_published',
        `Publishing met a bug: ${errorText(error)}`,
      );
    });
  }

  /** What a killed process left out, or too many epochs at once, the replay writes down. */
  async #remember(): Promise<void> {
    for (let next = this.#revealed.shift(); next !== undefined; next = this.#revealed.shift()) {
      try {
        await this.#store.remember(next.instance, next.record);
      } catch (error) {
        if (!this.#stopped) this.#alarm(next.instance, next.record.epoch, error);
      }
    }
    this.#remembering = null;
  }

  /** Waits through any outage: no other host publishes these epochs while this one owns the lane. */
  async #work(): Promise<void> {
    // One message may reveal epochs of many instances: all of them are due before anything begins.
    await Promise.resolve();
    while (!this.#stopped && (this.#mustSearch || this.#due.length > 0)) {
      try {
        if (this.#mustSearch) await this.#search();
        await this.#publishDue();
      } catch (error) {
        if (this.#stopped) break;
        const message = `Publishing of epochs failed and starts again: ${errorText(error)}`;
        this.#ports.monitor.alarm(this.#replica.lane, 'epoch_not_published', message);
        this.#mustSearch = true;
        await pause(this.#ports.clock, retryDelayMs);
      }
    }
    this.#working = null;
  }

  async #search(): Promise<void> {
    this.#mustSearch = false;
    const found = await unpublishedEpochs(this.#replica.engine, this.#store);
    const known = new Set(found.map(nameOf));
    const revealedMeanwhile = this.#due.filter((each) => !known.has(nameOf(each)));
    this.#due = [...found, ...revealedMeanwhile].filter((each) => !this.#lost.has(nameOf(each)));
    if (this.#due.length === 0) this.#retryAfterMs = retryDelayMs;
  }

  /** Where nothing was drawn nothing is replayed. */
  async #publishDue(): Promise<void> {
    for (let empty = this.#takeEmpty(); empty !== null; empty = this.#takeEmpty())
      await this.#publishEmpty(empty.instance, empty.record);
    // Where too many were revealed meanwhile they are looked for first: one may have begun before these.
    if (this.#due.length === 0 || this.#mustSearch) return;
    const drawn = this.#due;
    this.#due = [];
    await this.#follow(drawn);
  }

  #takeEmpty(): { readonly instance: string; readonly record: RevealedRecord } | null {
    const index = this.#due.findIndex(({ record }) => record?.lastMessage === 0);
    const [found] = index < 0 ? [] : this.#due.splice(index, 1);
    return found === undefined ? null : { instance: found.instance, record: found.record! };
  }

  async #publishEmpty(instance: string, { epoch, header, seed }: RevealedRecord): Promise<void> {
    const pages = new EpochPages(header, this.#pageLimit);
    const closing = closingAfter(this.#replica.engine, instance, epoch);
    await this.#store.publish(instance, epoch, pages.end(seed, closing));
    this.#published(instance, epoch);
  }

  /** Until we lose the lane, or a failed epoch is due again. */
  async #follow(drawn: readonly UnpublishedEpoch[]): Promise<void> {
    const { engine: live, lane } = this.#replica;
    const unknown = drawn.filter(({ record }) => record === null);
    const first = Math.min(
      live.appliedSequence + 1,
      firstUnrevealedMessage(live),
      ...drawn.flatMap(({ record }) => record?.firstMessage ?? []),
    );
    let failed = 0;
    this.#isFollowing = true;
    const running = this.#followEpochs(
      { lane, first, unknown, pageLimit: this.#pageLimit },
      () => this.#replica.appliedSequence,
      {
        published: (instance, epoch) => this.#published(instance, epoch),
        failed: (instance, epoch, error) => {
          this.#alarm(instance, epoch, error);
          failed += 1;
          if (failed === 1) this.#restartLater();
        },
        fellBehind: (messages) => this.#alarmBehind(messages),
      },
    );
    this.#running = running;
    try {
      if (this.#stopped) running.stop();
      await running.done;
    } catch (error) {
      if (isLoss(error)) this.#lose(unknown.length > 0 ? unknown : drawn);
      throw error;
    } finally {
      this.#isFollowing = false;
      this.#running = null;
    }
  }

  /** Once the others are published: what keeps one out may let them in. */
  #restartLater(): void {
    const running = this.#running;
    const others = this.#replica.appliedSequence;
    const afterMs = this.#retryAfterMs;
    this.#retryAfterMs = Math.min(maxRetryAfterMs, 2 * afterMs);
    const search = (): void => {
      if (this.#stopped || running === null || this.#running !== running) return;
      if (running.recorded() < others) {
        this.#ports.clock.after(retryDelayMs, search);
        return;
      }
      this.#mustSearch = true;
      running.stop();
    };
    this.#ports.clock.after(afterMs, search);
  }

  #alarmBehind(messages: number): void {
    const nowMs = this.#ports.clock.elapsedMs();
    if (nowMs - this.#alarmedAtMs < alarmRepeatMs) return;
    this.#alarmedAtMs = nowMs;
    const message = `Epochs are published ${messages} messages behind the lane, which is not caught up with.`;
    this.#ports.monitor.alarm(this.#replica.lane, 'epoch_not_published', message);
  }

  /** Gives up all epochs without a record, else the oldest: the log may still tell the others. */
  #lose(drawn: readonly UnpublishedEpoch[]): void {
    const first = Math.min(...drawn.map(({ record }) => record?.firstMessage ?? 0));
    const lost = drawn.filter(({ record }) => (record?.firstMessage ?? 0) === first);
    for (const each of lost) this.#lost.add(nameOf(each));
    const message = `The log does not tell any more what was drawn in ${lost.map(nameOf).join(', ')}.`;
    this.#ports.monitor.alarm(this.#replica.lane, 'epoch_not_published', message);
  }

  #published(instance: string, epoch: number): void {
    this.#ports.monitor.notice(this.#replica.lane, `Epoch ${epoch} of ${instance} is published.`);
  }

  #alarm(instance: string, epoch: number, error: unknown): void {
    const message = `Cannot publish epoch ${epoch} of ${instance}: ${errorText(error)}`;
    this.#ports.monitor.alarm(this.#replica.lane, 'epoch_not_published', message);
  }
}

function nameOf({ instance, epoch }: UnpublishedEpoch): string {
  return `${instance}/${epoch}`;
}

/** Repetition does not bring back messages that are gone or damaged. */
function isLoss(error: unknown): boolean {
  return isUnreadable(error) || (error instanceof LogError && error.code === 'hole');
}
