import { operatorOf } from '../../contracts/fields/identifiers.ts';
import type { Json } from '../../lib/canonical-json.ts';
import { formatAmount } from '../../lib/money.ts';
import type { LaneEvent } from '../../messages/events.ts';
import type { InstanceDescription, OptInStatusRecord } from '../../messages/records.ts';
import type { BookedMessage } from '../base/booked-message.ts';
import type { RowOf } from '../base/tables.ts';
import { nullIfEmpty } from './contributions.ts';
import type { LaneFacts } from './facts.ts';
import { userOf } from './payments.ts';
import { ofMessage, RowPlaces } from './row-places.ts';

interface EventRows {
  readonly instances: readonly RowOf<'instances'>[];
  readonly statuses: readonly RowOf<'statuses'>[];
  readonly opt_ins: readonly RowOf<'opt_ins'>[];
  readonly opt_in_changes: readonly RowOf<'opt_in_changes'>[];
  readonly tickets: readonly RowOf<'tickets'>[];
}

type EventOf<K extends LaneEvent['kind']> = Extract<LaneEvent, { readonly kind: K }>;

/** What the events of a message say of instances, statuses, opt-ins and tickets. */
export function eventRows(message: BookedMessage, facts: LaneFacts): EventRows {
  const of = <K extends LaneEvent['kind']>(kind: K): readonly EventOf<K>[] =>
    message.outcome.events.filter((event): event is EventOf<K> => event.kind === kind);
  const optIns = of('OptInChanged').map(({ status }) => status);
  return {
    instances: of('InstanceChanged').map(({ instance }) => instanceRow(message, instance)),
    statuses: statusRows(message, of('StatusChanged'), facts),
    opt_ins: optIns.map((status) => optInRow(message, status)),
    opt_in_changes: optInChangeRows(message, optIns),
    tickets: ticketRows(message, of('TicketsAwarded')),
  };
}

/** An instance as it is at a message. */
export function instanceRow(
  { lane, sequence }: Pick<BookedMessage, 'lane' | 'sequence'>,
  described: InstanceDescription,
): RowOf<'instances'> {
  const configuration = described.configuration as {
    readonly currency: string;
    readonly jackpot_type: string;
  };
  return {
    instance: described.instance,
    lane,
    sequence,
    operator: operatorOf(described.owner),
    owner: described.owner,
    group_id: described.group,
    template_owner: described.templateOwner,
    template: described.template,
    name: described.name,
    description: described.description,
    game_code: nullIfEmpty(described.gameCode),
    currency: configuration.currency,
    jackpot_type: configuration.jackpot_type,
    status: described.status,
    version: described.version,
    created: described.createdMs,
    starts: described.timestampStartMs,
    ends: described.timestampEndMs,
    updated: described.lastUpdatedMs,
    links: [...described.links],
    switched_to: nullIfEmpty(described.switchedTo),
    pots: described.pots.map(({ pot }) => pot),
    configuration: described.configuration as Json,
  };
}

/** A status that a command asked for is the command's; all others follow from what happened. */
function statusRows(
  message: BookedMessage,
  events: readonly EventOf<'StatusChanged'>[],
  facts: LaneFacts,
): readonly RowOf<'statuses'>[] {
  const places = new RowPlaces(message);
  const asked = message.batch.commands.flatMap((command, index) =>
    command.kind === 'SetStatus' && message.outcome.outcomes[index]?.kind === 'Done'
      ? [{ command, index }]
      : [],
  );
  return events.map(({ instance, counter, status, reason }) => {
    const at = asked.findIndex(
      ({ command }) =>
        command.instance === instance && command.status === status && command.reason === reason,
    );
    const [found] = at < 0 ? [] : asked.splice(at, 1);
    return {
      ...places.next(found?.index ?? ofMessage),
      operator: facts.of(message, instance).operator,
      instance,
      counter,
      status,
      reason: nullIfEmpty(reason),
      changed_by: userOf(found?.command),
    };
  });
}

function optInRow({ lane, sequence }: BookedMessage, status: OptInStatusRecord): RowOf<'opt_ins'> {
  return {
    instance: status.instance,
    brand: status.brand,
    player: status.player,
    operator: operatorOf(status.brand),
    lane,
    sequence,
    ...movedOf(status),
    contribution_count: status.contributionCount,
    contribution_amount: status.contributionAtoms,
    updated: status.lastUpdatedMs,
  };
}

function optInChangeRows(
  message: BookedMessage,
  changed: readonly OptInStatusRecord[],
): readonly RowOf<'opt_in_changes'>[] {
  if (changed.length === 0) return [];
  const places = new RowPlaces(message);
  const asked = askedOptIns(message);
  return changed.map((status) => {
    const found = asked.get(nameOf(status.instance, status.brand, status.player))?.shift();
    return {
      ...places.next(found?.index ?? ofMessage),
      instance: status.instance,
      brand: status.brand,
      player: status.player,
      operator: operatorOf(status.brand),
      ...movedOf(status),
      changed_by: found?.user ?? null,
    };
  });
}

/** The moves that commands of the message made, in order. Later steps of bulk opt-ins name no player. */
function askedOptIns({ batch, outcome }: BookedMessage) {
  const asked = new Map<string, { readonly index: number; readonly user: string | null }[]>();
  const add = (name: string, index: number, user: string | null): void => {
    const present = asked.get(name);
    if (present === undefined) asked.set(name, [{ index, user }]);
    else present.push({ index, user });
  };
  batch.commands.forEach((command, index) => {
    const result = outcome.outcomes[index];
    if (command.kind === 'OptIn' && result?.kind === 'OptedIn')
      for (const instance of result.succeeded)
        add(nameOf(instance, command.brand, command.player), index, nullIfEmpty(command.user));
    if (command.kind === 'BulkOptIn' && result?.kind === 'BulkOptedIn')
      for (const { instance, brand, player } of command.rows)
        add(nameOf(instance, brand, player), index, nullIfEmpty(command.user));
  });
  return asked;
}

function movedOf({ optedIn, optedOut, preferences }: OptInStatusRecord) {
  const amounts = preferences.map(([currency, atoms]) => [currency, formatAmount(atoms)]);
  return {
    is_opted_in: optedIn,
    has_opted_out: optedOut === true,
    preferences: Object.fromEntries(amounts) as Readonly<Record<string, string>>,
  };
}

/** Tickets of a contribution are its command's; Deferred ones are numbered when the round ends. */
function ticketRows(
  message: BookedMessage,
  events: readonly EventOf<'TicketsAwarded'>[],
): readonly RowOf<'tickets'>[] {
  if (events.length === 0) return [];
  const places = new RowPlaces(message);
  const givers = new Map<string, number[]>();
  for (const { instance, command, index, tickets } of message.contributions) {
    if (tickets === 0) continue;
    const name = nameOf(instance, command.brand, command.player);
    givers.set(name, [...(givers.get(name) ?? []), index]);
  }
  return events.map(({ first, count, record }) => {
    const { instance, brand, player, startMs, endMs } = record;
    const index = givers.get(nameOf(instance, brand, player))?.shift() ?? ofMessage;
    return {
      ...places.next(index),
      operator: operatorOf(brand),
      instance,
      round_start: startMs,
      round_end: endMs,
      brand,
      player,
      first_ticket: first,
      count,
      tickets_in_round: record.ticketCount,
    };
  });
}

function nameOf(instance: string, brand: string, player: string): string {
  return `${instance} ${brand} ${player}`;
}
