import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { answerOf, api, bodyOf } from '../../api/client.ts';
import { isTemporary } from '../../api/errors.ts';
import { cursorPages, type LoadPage } from '../../api/pages.ts';
import type { Contribution, Instance, InstanceAt } from '../../api/rows.ts';
import { useFilters } from '../../parts/filters.tsx';
import { List } from '../../parts/list.tsx';
import { contributionColumns } from '../../parts/rows.tsx';
import { Trouble } from '../../parts/states.tsx';
import { localTime, State, Time } from '../../parts/values.tsx';
import { Accounts, Pots } from './holdings.tsx';

/** A slider that moves asks once it rests. */
const restMs = 300;
/** Steps of the slider by a key. */
const steps = 500;
/** A far place is replayed a part at a time, each asked for anew. */
const maxTries = 100;
const retryMs = 300;

const minuteMs = 60_000;
const agos = [
  ['10 minutes ago', 10 * minuteMs],
  ['1 hour ago', 60 * minuteMs],
  ['1 day ago', 1_440 * minuteMs],
] as const;

/** The jackpot at the place that the address names; without one its children, which show it as it is now. */
export function ThroughTime({
  instance,
  children,
}: {
  readonly instance: Instance;
  readonly children: ReactNode;
}) {
  const [{ at, message }, change] = useFilters();
  const isThen = at !== undefined || message !== undefined;
  const { data, error, failureReason, isPending, isPlaceholderData, refetch } = useQuery({
    queryKey: ['at', instance.id, at, message],
    queryFn: () => instanceAt(instance.id, at, message),
    enabled: isThen,
    // What was, stays.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    retry: (failures, failure) => isTemporary(failure) && failures < maxTries,
    retryDelay: retryMs,
  });
  const shown = isThen && error === null ? data : undefined;
  return (
    <section aria-label="Through time">
      <h2>Through time</h2>
      <Slider
        createdMs={shown?.oldest?.timestamp ?? instance.created}
        atMs={at === undefined ? (message === undefined ? null : (shown?.timestamp ?? null)) : Number(at)}
        change={(ms) => change({ at: String(ms), message: undefined })}
      />
      <div className="actions">
        {[-1, 1].map((step) => (
          <button
            key={step}
            type="button"
            disabled={shown === undefined}
            onClick={() => change({ at: undefined, message: String((shown?.sequence ?? 0) + step) })}
          >
            {step < 0 ? 'Message before' : 'Message after'}
          </button>
        ))}
        <button
          type="button"
          aria-pressed={!isThen}
          onClick={() => change({ at: undefined, message: undefined })}
        >
          Now
        </button>
        {agos.map(([label, ms]) => (
          <button
            key={label}
            type="button"
            disabled={Date.now() - ms < instance.created}
            onClick={() => change({ at: String(Date.now() - ms), message: undefined })}
          >
            {label}
          </button>
        ))}
        <MomentField
          atMs={at === undefined ? null : Number(at)}
          change={(ms) => change({ at: String(ms), message: undefined })}
        />
        {isThen && (isPending || isPlaceholderData) && (
          <span className="quiet" role="status">
            {failureReason === null ? 'Looking…' : failureReason.message}
          </span>
        )}
      </div>
      {!isThen ? (
        children
      ) : error !== null ? (
        <Trouble error={error} again={() => void refetch()} />
      ) : (
        shown !== undefined && <Then key={shown.sequence} shown={shown} />
      )}
    </section>
  );
}

function instanceAt(id: string, at: string | undefined, message: string | undefined): Promise<InstanceAt> {
  const query = message === undefined ? { time: Number(at) } : { sequence: Number(message) };
  return bodyOf(
    api.GET('/config/jackpot_instances/{instance_id}/at', {
      params: { path: { instance_id: id }, query },
    }),
  );
}

/** A moment of the person's own day and hour; it counts once the person presses Enter or the button. */
function MomentField({
  atMs,
  change,
}: {
  readonly atMs: number | null;
  readonly change: (ms: number) => void;
}) {
  return (
    <form
      className="actions"
      key={atMs}
      onSubmit={(event) => {
        event.preventDefault();
        change(new Date(String(new FormData(event.currentTarget).get('moment'))).getTime());
      }}
    >
      <label>
        Time{' '}
        <input
          type="datetime-local"
          name="moment"
          step={1}
          required
          defaultValue={atMs === null ? '' : localMoment(atMs)}
        />
      </label>
      <button type="submit">Show</button>
    </form>
  );
}

/** As such a field has it: local, to the second. */
function localMoment(ms: number): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return '';
  return new Date(ms - date.getTimezoneOffset() * minuteMs).toISOString().slice(0, 19);
}

function Slider({
  createdMs,
  atMs,
  change,
}: {
  readonly createdMs: number;
  /** null: now. */
  readonly atMs: number | null;
  readonly change: (ms: number) => void;
}) {
  const [now] = useState(() => Date.now());
  const [moved, setMoved] = useState<number | null>(null);
  const id = useId();
  const newest = Math.max(now, atMs ?? 0);
  const value = moved ?? atMs ?? newest;
  useEffect(() => {
    if (moved === null) return;
    const timer = setTimeout(() => change(moved), restMs);
    return () => clearTimeout(timer);
  }, [moved, change]);
  // It has arrived: other buttons may move it from there.
  useEffect(() => setMoved((last) => (last === atMs ? null : last)), [atMs]);
  return (
    <div className="slider">
      <label htmlFor={id}>Show it as it was at</label>
      <output htmlFor={id}>{moved === null && atMs === null ? 'now' : localTime(value)}</output>
      <input
        id={id}
        type="range"
        min={Math.min(createdMs, newest)}
        max={newest}
        step={Math.max(1, Math.round((newest - createdMs) / steps))}
        value={value}
        aria-valuetext={localTime(value)}
        onChange={(event) => setMoved(Number(event.currentTarget.value))}
      />
    </div>
  );
}

function Then({ shown }: { readonly shown: InstanceAt }) {
  const { instance, lane, sequence, timestamp } = shown;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <dl className="facts">
        <dt>Shown</dt>
        <dd>
          <Time ms={timestamp} />, behind message {sequence.toLocaleString()} of lane {lane}
        </dd>
        <dt>Status</dt>
        <dd>
          <State>{instance.status}</State>, configuration version {instance.version}
        </dd>
        <dt>Contributions</dt>
        <dd>{instance.total_contributions.toLocaleString()}</dd>
      </dl>
      <Pots instance={instance} atMs={timestamp} />
      <Accounts
        id={instance.id}
        currency={instance.currency}
        held={shown}
        sequence={shown.instance_sequence}
      />
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Contributions of this message</summary>
        {isOpen && (
          <List
            what={`contributions of message ${sequence}`}
            queryKey={['contributions', instance.id, lane, sequence]}
            load={contributionsOf(instance.id, sequence, timestamp)}
            columns={contributionColumns}
            keyOf={(row) => `${row.contribution_id} ${row.instance_sequence}`}
            empty="It brought none to this jackpot."
          />
        )}
      </details>
    </>
  );
}

/** Messages may share a time. */
function contributionsOf(id: string, sequence: number, timestamp: number): LoadPage<Contribution> {
  const load = cursorPages((page) =>
    answerOf(
      api.GET('/config/contributions', {
        params: {
          query: { ...page, instance_id: id, from: timestamp, to: timestamp + 1 },
        },
      }),
    ),
  );
  return async (from) => {
    const page = await load(from);
    return { ...page, rows: page.rows.filter((row) => row.sequence === sequence), total: null };
  };
}
