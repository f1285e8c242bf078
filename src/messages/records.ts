import type { BindingOwnerKind } from './instance-commands.ts';

/** Live values of an instance, absolute; carried by ticks, replies and queries. */
export interface LiveValues {
  readonly instance: string;
  /** The instance's last sequence number. */
  readonly sequence: number;
  readonly version: number;
  readonly status: string;
  readonly pots: readonly PotLiveValues[];
  readonly head: Uint8Array;
  readonly epoch: number;
  readonly lastUpdatedMs: number;
}

export interface PotLiveValues {
  readonly pot: string;
  readonly currentAtoms: bigint;
  readonly instanceCount: number;
  readonly enabled: boolean;
  /** Shown to operators only; the engine always sets them. */
  readonly meters?: PotMeters;
}

/** Balances of a pot that are not advertised, and its lifetime meters. */
export interface PotMeters {
  readonly seedAtoms: bigint;
  readonly surplusAtoms: bigint;
  readonly overflowAtoms: bigint;
  readonly contributedAtoms: bigint;
  readonly contributedSeedAtoms: bigint;
  readonly initialCostAtoms: bigint;
  readonly totalContributions: number;
}

/** Everything A32 shows of an instance, live values included. */
export interface InstanceDescription {
  readonly instance: string;
  readonly group: string;
  readonly owner: string;
  readonly templateOwner: string;
  readonly template: string;
  readonly name: string;
  readonly description: string;
  readonly gameCode: string;
  readonly status: string;
  readonly version: number;
  readonly createdMs: number;
  readonly lastUpdatedMs: number;
  readonly timestampStartMs: number;
  readonly timestampEndMs: number | null;
  readonly totalContributions: number;
  readonly sequence: number;
  readonly links: readonly string[];
  readonly switchedTo: string;
  /** The configuration in force, without changes that wait for the next cycle of a pot. */
  readonly configuration: unknown;
  /** The whole configuration that waits for an epoch or a cycle; null: nothing waits. */
  readonly pendingConfiguration: unknown;
  readonly house: {
    readonly currentAtoms: bigint;
    readonly seedDeficitAtoms: bigint;
    readonly diversionAtoms: bigint;
    readonly totalContributions: number;
    readonly createdMs: number;
  };
  readonly pots: readonly PotDescription[];
  readonly head: Uint8Array;
  readonly epoch: number;
  /** Number of its last counted event (WinEvent, RaffleWinEvent, InstanceStatusEvent). */
  readonly eventCounter: number;
  /** The switch that is under way or ended last, if it took more than one command; absent: none. */
  readonly switch?: SwitchProgress;
}

/** A switch that takes more than one command (docs/rules/model-switches.md "Copying"). */
export interface SwitchProgress {
  readonly target: string;
  /** Players of the source that were looked at, and all of them. */
  readonly copied: number;
  readonly total: number;
  /** Who began it, and why. */
  readonly user: string;
  readonly reason: string;
  /** null: it is under way. */
  readonly end: SwitchEnd | null;
}

export interface SwitchEnd {
  readonly outcome: 'done' | 'cancelled' | 'refused';
  readonly atMs: number;
  /** A refusal's code and message; who cancelled, and why; else empty. */
  readonly code: string;
  readonly message: string;
}

/** A description that shares its configuration with others. */
export interface PackedInstance extends Omit<InstanceDescription, 'configuration' | 'pendingConfiguration'> {
  /** Its place among the configurations of the answer. */
  readonly configuration: number;
}

export interface PotDescription {
  readonly pot: string;
  readonly enabled: boolean;
  readonly instanceCount: number;
  readonly createdMs: number;
  readonly currentAtoms: bigint;
  readonly seedAtoms: bigint;
  readonly surplusAtoms: bigint;
  readonly overflowAtoms: bigint;
  readonly carryAtoms: bigint;
  readonly contributedAtoms: bigint;
  readonly contributedSeedAtoms: bigint;
  readonly initialCostAtoms: bigint;
  readonly totalContributions: number;
}

export interface Binding {
  readonly instance: string;
  readonly priority: number;
}

export interface BindingList {
  readonly of: BindingOwnerKind;
  readonly owner: string;
  readonly id: string;
  readonly bindings: readonly Binding[];
}

/** docs/rules/opt-ins.md "Opt-in status"; amounts in the currencies named. */
export interface OptInStatusRecord {
  readonly instance: string;
  readonly brand: string;
  readonly player: string;
  readonly optedIn: boolean;
  /** Currency → preferred value; the latest set last. Without opt_in_per_currency at most one. */
  readonly preferences: readonly (readonly [currency: string, valueAtoms: bigint])[];
  readonly contributionCount: number;
  readonly contributionAtoms: bigint;
  readonly pots: readonly (readonly [pot: string, count: number, valueAtoms: bigint])[];
  readonly lastUpdatedMs: number;
  /** The currency that the player named last, without a value for it. */
  readonly statedCurrency?: string;
  /** By a move of the player's own, and in with no currency. */
  readonly optedOut?: boolean;
}

/** A player's tickets in the current round (docs/rules/raffles.md "Tickets"). */
export interface TicketRecord {
  readonly instance: string;
  readonly brand: string;
  readonly player: string;
  readonly ticketCount: number;
  /** The carry towards the next ticket, in the instance's currency. */
  readonly accumulatedAtoms: bigint;
  readonly startMs: number;
  readonly endMs: number;
}

export interface WinnerRecord {
  readonly pot: string;
  readonly amountAtoms: bigint;
  readonly currency: string;
  readonly brand: string;
  readonly player: string;
  readonly timestampMs: number;
  readonly sequence: number;
  /** Its money waits for a person, or for an unknown answer of the wallet to clear up. */
  readonly withheld: boolean;
  /** Orders the records of one sequence, whatever their brands: the main winner comes first. */
  readonly place: number;
}

export interface EpochRecord {
  readonly epoch: number;
  readonly commit: Uint8Array;
  /** Empty: no beacon. */
  readonly beacon: Uint8Array;
  readonly state: 'committed' | 'running' | 'ended' | 'revealed';
  /** RFC 8785 JSON of the header once the epoch has started, else empty. */
  readonly header: string;
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** Lane sequences of the first and last message with a draw of the epoch (0: no draw yet). */
  readonly firstMessage: number;
  readonly lastMessage: number;
  readonly seed: Uint8Array | null;
  /** When a running epoch ends at the latest, if the next one is ready. */
  readonly dueMs?: number | undefined;
}

/** Takes the live values of instances part by part. Amounts come as in lib/wide: high · 2^32 + low. */
export interface LiveValuesSink {
  /** An instance; its pots follow. */
  instance(values: Omit<LiveValues, 'pots'>, pots: number): void;
  /**
   * Its next pot; its amounts follow: current and, with meters, the other six in the order of `PotMeters`.
   */
  pot(id: string, instanceCount: number, enabled: boolean, totalContributions: number | null): void;
  amount(high: number, low: number): void;
}

/** What every reader needs of live values; the others are read on demand. */
export interface LiveValuesNews {
  readonly instance: string;
  readonly sequence: number;
  readonly status: string;
  readonly lastUpdatedMs: number;
  values(): LiveValues;
}

const terminal: ReadonlySet<string> = new Set(['Cancelled', 'Completed', 'Switched']);

/** An instance of this status changes no more; it is still read (docs/rules/statuses.md "Transitions"). */
export function isTerminal(status: string): boolean {
  return terminal.has(status);
}
