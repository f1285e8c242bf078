import type { BrandEntry, DirectoryChange, RateTableEntry } from '../contracts/directory/directory.ts';
import { isWithin, operatorOf } from '../contracts/fields/identifiers.ts';
import { isBrandAllowed } from '../messages/admission.ts';
import type { ReadModelEvent } from '../messages/events.ts';
import type { BindingList, InstanceDescription, LiveValues, LiveValuesNews } from '../messages/records.ts';
import type { CreditRecord } from '../messages/settlements.ts';
import { LaneConditions, type LaneFault, type LaneSignal } from './lane-conditions.ts';
import { type KnownInstance, LaneView } from './lane-view.ts';
import { DirectoryEntries, ownedKey } from './owners.ts';
import { jackpotForSource, type SourceLookup } from './resolve.ts';

/** Whose instances a feed or a list may show. */
type InstanceScope =
  | { readonly kind: 'operator'; readonly operator: string }
  | { readonly kind: 'brand'; readonly brand: string };

/** Directory and lanes in memory, fed by log/lanes/read-model-feed.ts. It never waits and has no clock. */
export class ReadModel {
  readonly entries = new DirectoryEntries();
  readonly lanes = new LaneView();
  readonly conditions: LaneConditions;
  #revision = 0;
  #owners = 0;
  #directoryCurrent = false;
  readonly #liveValueListeners = new Set<(known: KnownInstance) => void>();
  readonly #creditListeners = new Set<(credit: CreditRecord) => void>();
  readonly #optInListeners = new Set<(brand: string, player: string) => void>();
  readonly #revisionListeners = new Set<(revision: number) => void>();

  constructor(lanes: number) {
    this.conditions = new LaneConditions(lanes);
  }

  // The input of the feed.

  directoryChanged(change: DirectoryChange | null, revision: number): void {
    if (change !== null) {
      this.entries.apply(change);
      this.#owners += 1;
    }
    if (revision <= this.#revision) return;
    this.#revision = revision;
    for (const listener of this.#revisionListeners) listener(revision);
  }

  directoryCurrent(): void {
    this.#directoryCurrent = true;
  }

  laneCurrent(lane: number): void {
    this.conditions.read(lane);
  }

  laneSignalled(signal: LaneSignal, nowMs: number): void {
    this.conditions.observe(signal, nowMs);
  }

  laneForeign(lane: number, nowMs: number): void {
    this.conditions.observeForeign(lane, nowMs);
  }

  timePassed(nowMs: number): void {
    this.conditions.timePassed(nowMs);
  }

  laneState(
    lane: number,
    sequence: number,
    instances: readonly { readonly description: InstanceDescription; readonly liveValues: LiveValues }[],
    bindings: readonly BindingList[],
  ): void {
    for (const { description, liveValues } of instances) {
      this.lanes.describe(lane, sequence, description, liveValues);
      this.#notify(description.instance);
    }
    for (const list of bindings) this.lanes.bind(lane, sequence, list);
  }

  laneHasOnly(lane: number, sequence: number, bindings: readonly BindingList[]): void {
    this.lanes.emptyOthers(lane, sequence, bindings);
  }

  laneEvents(lane: number, sequence: number, events: readonly ReadModelEvent[]): void {
    for (const event of events) {
      this.lanes.event(lane, sequence, event);
      if (event.kind === 'InstanceChanged') this.#notify(event.instance.instance);
      if (event.kind === 'StatusChanged') this.#notify(event.instance);
      if (event.kind === 'OptInChanged')
        for (const listener of this.#optInListeners) listener(event.status.brand, event.status.player);
    }
  }

  laneCredits(credits: readonly CreditRecord[]): void {
    for (const credit of credits) for (const listener of this.#creditListeners) listener(credit);
  }

  laneLiveValues(
    _lane: number,
    sequence: number,
    allLiveValues: readonly (LiveValues | LiveValuesNews)[],
  ): void {
    for (const liveValues of allLiveValues)
      if (this.lanes.liveValues(sequence, liveValues)) this.#notify(liveValues.instance);
  }

  // What callers ask.

  /** True once directory and lanes have been read up to now. */
  current(): boolean {
    return this.#directoryCurrent && this.conditions.allRead;
  }

  /** True once the directory and those lanes are read that can be, stopped and silent ones aside. */
  usable(): boolean {
    return this.#directoryCurrent && (this.conditions.settled || this.conditions.allRead);
  }

  /** The code for an id that is unknown or not visible. A lane that is still unread may have it. */
  unknownOr<Code extends string>(missing: Code): LaneFault | Code {
    return this.conditions.unknownFault() ?? missing;
  }

  /** Moves whenever anything but live values may have changed: owners, bindings, instances. */
  get structure(): number {
    return this.#owners + this.lanes.structure;
  }

  /** The newest revision of the directory that has been taken in. */
  get revision(): number {
    return this.#revision;
  }

  onRevision(listener: (revision: number) => void): () => void {
    this.#revisionListeners.add(listener);
    return () => this.#revisionListeners.delete(listener);
  }

  /** Called with each instance whose live values or description moved, after the move. */
  onInstance(listener: (known: KnownInstance) => void): () => void {
    this.#liveValueListeners.add(listener);
    return () => this.#liveValueListeners.delete(listener);
  }

  /** Called with each credit whose state has changed, once that is stored. */
  onCredit(listener: (credit: CreditRecord) => void): () => void {
    this.#creditListeners.add(listener);
    return () => this.#creditListeners.delete(listener);
  }

  /** Called with each player who has opted in or out, after it shows here. */
  onOptIn(listener: (brand: string, player: string) => void): () => void {
    this.#optInListeners.add(listener);
    return () => this.#optInListeners.delete(listener);
  }

  operator(operator: string): { readonly enabled: boolean } | undefined {
    return this.entries.operators.get(operator);
  }

  /** By brand path. Enabled only where its operator is, too. */
  brand(path: string): (BrandEntry & { readonly enabled: boolean }) | undefined {
    const brand = this.entries.brands.get(path);
    const enabled = this.entries.enabled(path);
    return brand === undefined || enabled === null ? undefined : { ...brand, enabled };
  }

  known(instance: string): KnownInstance | undefined {
    return this.lanes.instances.get(instance);
  }

  /** Whether the brand or its operator has such a source. */
  hasSource(brand: string, source: string): boolean {
    return [brand, operatorOf(brand)].some((owner) => this.entries.sources.has(ownedKey(owner, source)));
  }

  /**
   * The group whose lane resolves the source for this brand: the operator's own until the source is bound to
   * another's. undefined: neither the brand nor its operator has such a source.
   */
  groupOfSource(brand: string, source: string): string | undefined {
    if (!this.hasSource(brand, source)) return undefined;
    return this.entries.sourceGroup(brand, source) ?? operatorOf(brand);
  }

  jackpotForSource(lookup: Omit<SourceLookup, 'group'>, nowMs: number): KnownInstance | null {
    const group = this.groupOfSource(lookup.brand, lookup.source);
    if (group === undefined) return null;
    return jackpotForSource(this.entries, this.lanes, { ...lookup, group }, nowMs);
  }

  /** Whether the operator has registered this origin for its webhooks. */
  allowsWebhook(operator: string, origin: string): boolean {
    return this.entries.webhookOrigins.get(operator)?.origins.includes(origin) ?? false;
  }

  /** The brand's own table, else the default one. */
  rates(brand: string): RateTableEntry | undefined {
    return this.entries.ratesOf(brand);
  }

  /** Brand paths that may contribute to the instance. */
  allowedBrands(known: KnownInstance): readonly string[] {
    const { owner } = known.description;
    const listed = known.configuration.allowedBrands;
    if (listed !== null) return listed;
    return this.entries
      .brandsOf(operatorOf(owner))
      .map((brand) => brand.path)
      .filter((path) => isWithin(path, owner));
  }

  /** Ids of the sources that the instance is bound to, in order. */
  sourcesOf(instance: string): string[] {
    return [...new Set(this.lanes.sourcesOf(instance).map(([, source]) => source))].sort();
  }

  /** Whether an instance is there for a brand, or for an operator that owns it or whose brands it names. */
  visibleTo(scope: InstanceScope, { configuration, description: { owner } }: KnownInstance): boolean {
    if (scope.kind === 'brand') return isBrandAllowed(configuration, owner, scope.brand);
    if (operatorOf(owner) === scope.operator) return true;
    return configuration.allowedBrands?.some((brand) => operatorOf(brand) === scope.operator) === true;
  }

  /** In order of their ids. */
  visibleInstances(scope: InstanceScope): KnownInstance[] {
    return [...this.lanes.instances.values()]
      .filter((known) => this.visibleTo(scope, known))
      .sort((a, b) => (a.description.instance < b.description.instance ? -1 : 1));
  }

  #notify(instance: string): void {
    if (this.#liveValueListeners.size === 0) return;
    const known = this.known(instance);
    if (known !== undefined) for (const listener of this.#liveValueListeners) listener(known);
  }
}
