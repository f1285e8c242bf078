import type { Feed, JackpotUpdate, RaffleWinEvent, WinEvent } from '../index.ts';
import { Announcer, Celebrations, isFresh, prizeOf, type Win, winOf } from './celebrations.ts';
import { Choice } from './choice.ts';
import { deadlineMs, timeLeft, timeOf } from './deadline.ts';
import { english, filled, isolated, potName, readLabels, type TickerLabels } from './labels.ts';
import { make } from './make.ts';
import { knownLocale, type MoneyFormat, moneyFormat } from './money.ts';
import { Pot } from './pot.ts';
import { type Borrowed, borrowFeed, ticketsFrom } from './shared-feeds.ts';
import { styles } from './styles.ts';

/** What a ticker needs of a feed. */
export type TickerFeed = Pick<Feed, 'state' | 'jackpots' | 'on'>;

/** Where there is no document, as on a server that renders pages, the class can be loaded and nothing more. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;
const announcer = new Announcer();
const connecting = ['src', 'brand', 'currency', 'ticket'];
/** A source or a pot of another instance than before begins anew. */
const choosing = ['source', 'instance', 'pots'];
const settable = ['feed', 'ticket', 'labels'] as const;
const sparks = 12;
/** More than one ticker shows; then it begins again. */
const maxFormats = 20;
/** Every jackpot sends within 5 s of a connection. */
const shownWithinMs = 12_000;

/**
 * `<jackpot-ticker>`: the live pots of one jackpot (docs/frontend.md). A win is announced by the event `potstream-win`,
 * whose `detail` is the event of the feed; where it is cancelled the ticker does not celebrate. `potstream-error` says why
 * nothing is shown, as a word in the console does.
 */
export class JackpotTicker extends Base {
  static readonly observedAttributes = [...connecting, ...choosing, 'locale', 'labels', 'label', 'must-drop'];

  readonly #title = make('slot', { class: 'title', part: 'title' });
  readonly #pots = make('div', { class: 'pots', part: 'pots' });
  readonly #note = make('span', { class: 'note', part: 'note' });
  readonly #countdown = make('span', { class: 'countdown', part: 'countdown' });
  readonly #celebration = make('div', { class: 'celebration', part: 'celebration', 'aria-hidden': 'true' });
  readonly #said = make('p', { class: 'for-readers', role: 'status' });
  readonly #group = make('div', { class: 'ticker', part: 'ticker', role: 'group' });
  readonly #celebrations = new Celebrations((win) => this.#celebrate(win));
  readonly #formats = new Map<string, MoneyFormat>();
  #shown = new Map<string, Pot>();
  #labels: TickerLabels = english;
  #ticket: (() => Promise<string>) | null = null;
  #givenFeed: TickerFeed | null = null;
  #borrowed: Borrowed | null = null;
  #feed: TickerFeed | null = null;
  #isSilent = false;
  #leave: (() => void) | null = null;
  #listening: readonly (() => void)[] = [];
  #choice = new Choice({});
  #newestMs = 0;
  #isVisible = true;
  #isWaiting = false;
  /** The last fault that was reported; null: none since the ticker joined its feed. */
  #fault: string | null = null;
  #lateTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [styles()];
    this.#group.append(this.#title, this.#pots, this.#countdown, this.#celebration, this.#said);
    root.append(this.#group);
  }

  connectedCallback(): void {
    this.#takeEarlyProperties();
    const observer = new IntersectionObserver(([seen]) => {
      this.#isVisible = seen?.isIntersecting ?? true;
    });
    observer.observe(this);
    const everySecond = setInterval(() => this.#renderCountdown(), 1000);
    this.#leave = () => {
      observer.disconnect();
      clearInterval(everySecond);
    };
    this.#choose();
    this.#rejoin();
  }

  disconnectedCallback(): void {
    this.#part();
    this.#leave?.();
  }

  attributeChangedCallback(name: string): void {
    if (name === 'labels') this.labels = readLabels(this.getAttribute('labels'));
    if (!this.isConnected) return;
    if (connecting.includes(name)) this.#rejoin();
    else if (choosing.includes(name)) this.#choose();
    else this.#render();
  }

  /** Shared with others; without one the ticker connects by `src` and `brand`. */
  get feed(): TickerFeed | null {
    return this.#feed ?? this.#givenFeed;
  }

  set feed(feed: TickerFeed | null) {
    this.#givenFeed = feed;
    this.#rejoin();
  }

  /** Gives a ticket for each connection; without one the ticker shows the public feed of `brand`. */
  get ticket(): (() => Promise<string>) | null {
    return this.#ticket;
  }

  set ticket(ticket: (() => Promise<string>) | null) {
    this.#ticket = ticket;
    this.#rejoin();
  }

  get labels(): TickerLabels {
    return this.#labels;
  }

  set labels(labels: Partial<TickerLabels>) {
    this.#labels = { ...english, ...labels };
    if (this.isConnected) this.#render();
  }

  /** The newest update of the jackpot that is shown. */
  get jackpot(): JackpotUpdate | null {
    return this.#choice.update;
  }

  /** Frameworks may set properties before the element is defined; those would hide the accessors. */
  #takeEarlyProperties(): void {
    const own = this as unknown as Record<string, unknown>;
    for (const name of settable) {
      if (!Object.hasOwn(own, name)) continue;
      const value = own[name];
      delete own[name];
      own[name] = value;
    }
  }

  /** Attributes and properties are set one after the other: what they mean together is known after that. */
  #rejoin(): void {
    if (!this.isConnected || this.#isWaiting) return;
    this.#isWaiting = true;
    queueMicrotask(() => {
      this.#isWaiting = false;
      if (!this.isConnected) return;
      this.#part();
      this.#choose();
      this.#join();
    });
  }

  #join(): void {
    const feed = this.#givenFeed ?? this.#borrow();
    if (feed === null) return;
    this.#feed = feed;
    this.#listening = [
      feed.on('state', () => this.#renderState()),
      feed.on('update', (update) => this.#see(update)),
      feed.on('win', (event) => this.#win(event, winOf(event))),
      feed.on('silent', (instance) => {
        if (instance !== this.#choice.update?.data.id) return;
        this.#isSilent = true;
        this.#renderState();
      }),
      feed.on('raffle', (event) => this.#win(event, prizeOf(event))),
      feed.on('error', ({ code, reason }) =>
        this.#report(code, reason || `The feed is closed with ${code}.`),
      ),
    ];
    this.#fault = null;
    this.#lateTimer = setTimeout(() => this.#miss(), shownWithinMs);
    for (const update of feed.jackpots.values()) this.#see(update);
    this.#renderState();
  }

  /** The page finds out what it has misspelt; players see that there is nothing. */
  #miss(): void {
    const { update } = this.#choice;
    if (update !== null) {
      const known = new Set(update.data.pots.map(({ id }) => id));
      const unknown = this.#wantedPots().filter((id) => !known.has(id));
      if (unknown.length > 0) this.#report(0, `The jackpot has no pot ${unknown.join(', ')}.`);
    } else if (this.#feed?.state === 'live') {
      this.#report(0, 'The feed has no such jackpot: look at "source", "instance" and "pots".');
    } else {
      this.#report(
        0,
        'There is no connection: look at "src" and "brand", and with a ticket at the allowed origins.',
      );
    }
    this.#renderState();
  }

  #report(code: number, reason: string): void {
    if (this.#fault === reason) return;
    this.#fault = reason;
    console.warn(`<jackpot-ticker> ${reason}`, this);
    this.dispatchEvent(
      new CustomEvent('potstream-error', { detail: { code, reason }, bubbles: true, composed: true }),
    );
  }

  #part(): void {
    clearTimeout(this.#lateTimer);
    this.#celebrations.stop();
    for (const stop of this.#listening) stop();
    this.#listening = [];
    this.#feed = null;
    this.#borrowed?.release();
    this.#borrowed = null;
  }

  #borrow(): Feed | null {
    const src = this.getAttribute('src');
    const brand = this.getAttribute('brand');
    const currency = this.getAttribute('currency');
    const address = this.getAttribute('ticket');
    // An empty `ticket` says that the page will set the property.
    const ticket = this.#ticket ?? (address ? ticketsFrom(address) : null);
    if (src === null || (address === '' && ticket === null)) return null;
    this.#borrowed = borrowFeed({
      url: new URL(src, document.baseURI).href,
      ...(brand === null ? {} : { brand }),
      ...(currency === null ? {} : { currency }),
      ...(ticket === null ? {} : { ticket }),
    });
    return this.#borrowed.feed;
  }

  /** Another jackpot, or other pots of it. */
  #choose(): void {
    const wanted = this.#wantedPots();
    this.#choice = new Choice({
      instance: this.getAttribute('instance'),
      source: this.getAttribute('source'),
      pots: wanted,
    });
    this.#shown.clear();
    this.#arrange(wanted.length > 0 ? wanted : ['']);
    for (const update of this.#feed?.jackpots.values() ?? []) this.#see(update);
    this.#render();
  }

  #see(update: JackpotUpdate): void {
    this.#newestMs = Math.max(this.#newestMs, update.timestamp);
    if (!this.#choice.take(update)) return;
    this.#isSilent = false;
    this.#render();
  }

  #win(event: WinEvent | RaffleWinEvent, win: Win | null): void {
    this.#newestMs = Math.max(this.#newestMs, event.timestamp);
    if (win === null || win.instance !== this.#choice.update?.data.id || !isFresh(win, this.#newestMs))
      return;
    if (!this.#shown.has(win.pot)) return;
    const options = { detail: event, bubbles: true, composed: true, cancelable: true };
    if (!this.dispatchEvent(new CustomEvent('potstream-win', options))) return;
    this.#celebrations.add(win);
    announcer.announce((more) => {
      const count = new Intl.NumberFormat(this.#locale()).format(more);
      const before = more === 0 ? '' : `. ${filled(this.#labels.more, { count })}`;
      this.#said.textContent = `${this.#wordsOf(win)}${before}`;
    });
  }

  #wordsOf(win: Win): string {
    return filled(this.#labels.won, {
      player: win.player,
      amount: this.#amount(win),
      pot: potName(win.pot, this.#labels),
    });
  }

  #amount({ amount, currency }: Win): string {
    const format = this.#format(currency);
    return format.text(format.units(amount) ?? 0n);
  }

  #celebrate(win: Win | null): void {
    for (const [id, pot] of this.#shown) pot.isWon = win?.pot === id;
    this.#group.classList.toggle('is-celebrating', win !== null);
    if (win === null) return;
    this.#celebration.replaceChildren(
      make('span', { class: 'sparks' }, ...Array.from({ length: sparks }, () => make('i'))),
      make(
        'span',
        { class: 'won' },
        make('strong', { part: 'celebration-amount' }, this.#amount(win)),
        make(
          'span',
          { part: 'celebration-text' },
          filled(this.#labels.celebrated, {
            player: isolated(win.player),
            amount: isolated(this.#amount(win)),
            pot: isolated(potName(win.pot, this.#labels)),
          }),
        ),
      ),
    );
  }

  #render(): void {
    const label = this.getAttribute('label');
    this.#title.textContent = label;
    if (label === null) this.#group.removeAttribute('aria-label');
    else this.#group.setAttribute('aria-label', label);
    for (const [id, pot] of this.#shown) pot.name = potName(id, this.#labels);
    this.#renderPots();
    this.#renderCountdown();
    this.#renderState();
  }

  #renderPots(): void {
    if (this.#choice.update === null) return;
    const { pots, currency } = this.#choice.update.data;
    const format = this.#format(currency);
    const wanted = this.#wantedPots();
    const ids = wanted.length > 0 ? wanted : this.#arranged(format);
    if (ids.some((id) => !this.#shown.has(id)) || this.#shown.size > ids.length) this.#arrange(ids);
    const runs = this.#isVisible && document.visibilityState === 'visible' && !wantsStillness();
    for (const { id, current_value } of pots) {
      const units = format.units(current_value);
      if (units !== null) this.#shown.get(id)?.digits.show(format, units, runs);
    }
  }

  /** The largest pot is the one people come for. The order stays, whatever happens to them. */
  #arranged(format: MoneyFormat): readonly string[] {
    const pots = this.#choice.update?.data.pots ?? [];
    const isKnown = pots.length === this.#shown.size && pots.every(({ id }) => this.#shown.has(id));
    if (isKnown) return [...this.#shown.keys()];
    const value = (decimal: string) => format.units(decimal) ?? 0n;
    return [...pots]
      .sort((one, other) => (value(one.current_value) < value(other.current_value) ? 1 : -1))
      .map(({ id }) => id);
  }

  #arrange(ids: readonly string[]): void {
    for (const pot of this.#shown.values()) pot.digits.stop();
    this.#shown = new Map(ids.map((id, index) => [id, new Pot(index === 0 ? this.#note : null)]));
    for (const [id, pot] of this.#shown) pot.name = potName(id, this.#labels);
    this.#pots.replaceChildren(...[...this.#shown.values()].map(({ element }) => element));
  }

  #wantedPots(): readonly string[] {
    return (this.getAttribute('pots') ?? '').split(/[\s,]+/).filter((id) => id !== '');
  }

  #renderCountdown(): void {
    const mustDrop = this.getAttribute('must-drop');
    this.#group.classList.toggle('has-deadline', mustDrop !== null);
    const nowMs = Date.now();
    const atMs = mustDrop === null ? null : deadlineMs(mustDrop, nowMs);
    const time = atMs === null ? null : timeLeft(atMs - nowMs, this.#locale());
    this.#countdown.textContent = time === null ? '' : filled(this.#labels.mustDrop, { time });
  }

  #renderState(): void {
    const connection = this.#feed?.state ?? 'offline';
    const state = connection === 'live' && this.#isSilent ? 'stale' : connection;
    if (this.getAttribute('state') !== state) this.setAttribute('state', state);
    this.#group.classList.toggle('is-dated', state !== 'live' && this.#choice.update !== null);
    this.#note.textContent = this.#noteOf(state);
  }

  #noteOf(state: string): string {
    if (this.#choice.update === null) {
      if (state === 'offline' || this.#fault !== null) return this.#labels.unavailable;
      return state === 'live' ? '' : this.#labels.waiting;
    }
    const { status } = this.#choice.update.data;
    if (state === 'live') return status === 'Active' ? '' : (this.#labels.statuses[status] ?? status);
    return filled(this.#labels.asOf, { time: timeOf(this.#choice.update.timestamp, this.#locale()) });
  }

  #locale(): string {
    const page = this.closest<HTMLElement>('[lang]')?.lang;
    return knownLocale(this.getAttribute('locale'), page, navigator.language);
  }

  #format(currency: string): MoneyFormat {
    const locale = this.#locale();
    const key = `${locale} ${currency}`;
    const known = this.#formats.get(key);
    if (known !== undefined) return known;
    if (this.#formats.size >= maxFormats) this.#formats.clear();
    const made = moneyFormat(locale, currency);
    this.#formats.set(key, made);
    return made;
  }
}

function wantsStillness(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
