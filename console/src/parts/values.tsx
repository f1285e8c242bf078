import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { jackpotNamesQuery } from '../api/rows.ts';
import { type Amount, amountText } from './decimals.ts';
import { reasonText } from './reasons.ts';

/** An amount, always with its currency and all of its digits. */
export function Money({
  amount,
  currency,
}: {
  readonly amount: Amount | null;
  readonly currency: string | null;
}) {
  if (amount === null) return <span className="none">–</span>;
  return (
    <span className="money">
      <bdi>{amountText(amount, currency ?? '')}</bdi> <bdi className="currency">{currency ?? '?'}</bdi>
    </span>
  );
}

/** A time in the person's zone; UTC where the pointer or the focus rests. */
export function Time({ ms }: { readonly ms: number | null | undefined }) {
  if (ms === null || ms === undefined) return <span className="none">–</span>;
  const utc = new Date(ms).toISOString();
  return (
    <time dateTime={utc} title={`${utc.replace('T', ' ').replace('Z', '')} UTC`}>
      {localTime(ms)}
    </time>
  );
}

const timeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export function localTime(ms: number): string {
  return timeFormat.format(ms);
}

/** How long, in its two largest units. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const units = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  if (first === -1) return '0 s';
  return units
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

/** Text of others: whatever is in it, it stays text, and its direction is its own. */
export function Name({ children }: { readonly children: string | null | undefined }) {
  if (children === null || children === undefined || children === '') return <span className="none">–</span>;
  return <bdi className="name">{children}</bdi>;
}

/** Why a payment is in its state, in words; the code is where the pointer rests. */
export function Reason({ children }: { readonly children: string | null }) {
  return (
    <span title={children ?? undefined}>
      <Name>{reasonText(children)}</Name>
    </span>
  );
}

export function ContributionLink({ id }: { readonly id: string | null }) {
  if (id === null) return <Name>{null}</Name>;
  return (
    <Link to="/contributions/$id" params={{ id }} className="id">
      {id}
    </Link>
  );
}

export function PlayerLink({
  brand,
  player,
}: {
  readonly brand: string | null;
  readonly player: string | null;
}) {
  if (brand === null || player === null) return <Name>{null}</Name>;
  return (
    <Link to="/players/$brand/$player" params={{ brand, player }}>
      <Name>{player}</Name>
    </Link>
  );
}

const noNames: ReadonlyMap<string, string> = new Map();

/** The names of jackpots that are known, by their ids. */
export function useJackpotNames(isNeeded = true): ReadonlyMap<string, string> {
  return useQuery({ ...jackpotNamesQuery, enabled: isNeeded }).data ?? noNames;
}

/** By its name; its id is where the pointer rests, and in its place where the name is not known. */
export function JackpotLink({ id, name }: { readonly id: string; readonly name?: string | undefined }) {
  const names = useJackpotNames(name === undefined);
  const shown = name ?? names.get(id);
  return (
    <Link to="/jackpots/$id" params={{ id }} title={id} className={shown === undefined ? 'id' : ''}>
      <Name>{shown ?? id}</Name>
    </Link>
  );
}

export function State({ children }: { readonly children: string }) {
  return <span className={`state state-${children.toLowerCase()}`}>{children}</span>;
}

/** A value as JSON; whoever has no pointer scrolls it by keys. */
export function Json({ of, label }: { readonly of: unknown; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it may be longer than its box.
    <section tabIndex={0} aria-label={label} className="json">
      <pre>{JSON.stringify(of, null, 2)}</pre>
    </section>
  );
}
