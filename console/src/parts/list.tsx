import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { allRows, type LoadPage } from '../api/pages.ts';
import { csvOf } from './csv.ts';
import { download } from './download.ts';
import { Empty, Loading, Trouble } from './states.tsx';
import { localTime } from './values.tsx';

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** What an export says: times as ISO 8601, amounts as they came. */
  readonly text: (row: Row) => string | number | null | undefined;
  readonly isNumber?: boolean;
}

interface ListProps<Row> {
  /** What its rows are, in the plural; also the name of the exported file. */
  readonly what: string;
  readonly queryKey: readonly unknown[];
  readonly load: LoadPage<Row>;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly empty: ReactNode;
  readonly refetchMs?: number;
}

const maxExported = 50_000;
/** Pages that are asked again by themselves. A longer list stays as it was until the person asks. */
const maxLivePages = 5;
/** As many rows before the end the next page is asked for. */
const rowsAhead = 30;
const rowHeightPx = 41;

/** A list of the service, a page at a time, of which only what is in sight is drawn. It exports what it shows. */
export function List<Row>(props: ListProps<Row>) {
  const { what, queryKey, load, empty, refetchMs } = props;
  const client = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: [...queryKey, 'list'],
    queryFn: ({ pageParam }) => load(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    enabled: ({ state }) => (state.data?.pages.length ?? 0) <= maxLivePages,
    refetchInterval: refetchMs ?? false,
  });
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);
  if (isPending) return <Loading what={what} />;
  if (data === undefined) return <Trouble error={error} again={() => void refetch()} />;
  const more = () => {
    if (hasNextPage && !isFetchingNextPage && error === null) void fetchNextPage();
  };
  const first = data.pages[0];
  const incomplete = data.pages.find((page) => page.incomplete !== null)?.incomplete ?? null;
  return (
    <section aria-label={what}>
      {error !== null && <Trouble error={error} again={() => void refetch()} />}
      {incomplete !== null && (
        <p className="warning" role="status">
          This list is not whole: {incomplete}.
        </p>
      )}
      {rows.length === 0 ? <Empty>{empty}</Empty> : <Table {...props} rows={rows} more={more} />}
      <div className="list-end">
        <span className="quiet">
          {rows.length.toLocaleString()}{' '}
          {first?.total ? `of ${first.total}` : hasNextPage ? 'so far' : 'in all'}
        </span>
        {hasNextPage && (
          <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage ? 'Loading…' : 'Show more'}
          </button>
        )}
        {data.pages.length > maxLivePages && (
          <button type="button" onClick={() => void client.resetQueries({ queryKey: [...queryKey, 'list'] })}>
            Begin again: this list is as it was at {localTime(query.dataUpdatedAt)}
          </button>
        )}
        {rows.length > 0 && <Export {...props} />}
      </div>
    </section>
  );
}

/** All rows of the list, also those that are not shown yet, as CSV. */
function Export<Row>({ what, load, columns }: Pick<ListProps<Row>, 'what' | 'load' | 'columns'>) {
  const [progress, setProgress] = useState<string | null>(null);
  async function run(): Promise<void> {
    try {
      setProgress('0 rows…');
      const { rows, isWhole } = await allRows(load, maxExported, (count) =>
        setProgress(`${count.toLocaleString()} rows…`),
      );
      const cells = rows.map((row) => columns.map(({ text }) => String(text(row) ?? '')));
      const name = `${what.replaceAll(' ', '-')}.csv`;
      download(
        name,
        csvOf(
          columns.map(({ head }) => head),
          cells,
        ),
        'text/csv;charset=utf-8',
      );
      const count = rows.length.toLocaleString();
      setProgress(isWhole ? `${count} rows exported.` : `The first ${count} rows exported; there are more.`);
    } catch (error) {
      setProgress(`Not exported: ${error instanceof Error ? error.message : error}`);
    }
  }
  return (
    <>
      <button type="button" onClick={() => void run()} disabled={progress?.endsWith('…') === true}>
        Export
      </button>
      <span className="quiet" role="status">
        {progress}
      </span>
    </>
  );
}

export function Table<Row>({
  what,
  rows,
  columns,
  keyOf,
  more,
}: Pick<ListProps<Row>, 'what' | 'columns' | 'keyOf'> & {
  readonly rows: readonly Row[];
  /** Asks for further rows; the end of these is near. */
  readonly more?: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeightPx,
    // Drawing waits for a task of its own, apart from the one that scrolls.
    useFlushSync: false,
    overscan: 5,
    initialRect: { width: 1000, height: 600 },
  });
  const items = virtual.getVirtualItems();
  const isNearEnd = (items.at(-1)?.index ?? 0) >= rows.length - rowsAhead;
  useEffect(() => {
    if (isNearEnd) more?.();
  }, [isNearEnd, more]);
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no pointer scrolls it by keys.
    <section className="table" ref={box} tabIndex={0} aria-label={`Table of ${what}`}>
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {columns.map(({ head, isNumber }) => (
              <th key={head} scope="col" className={isNumber ? 'number' : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <Gap height={above} span={columns.length} />}
          {items.map(({ index }) => {
            const row = rows[index] as Row;
            return <Line key={keyOf(row)} row={row} columns={columns} index={index} />;
          })}
          {below > 0 && <Gap height={below} span={columns.length} />}
        </tbody>
      </table>
    </section>
  );
}

interface LineProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly index: number;
}

/** While the list is scrolled, only the rows that come into sight are drawn. */
const Line = memo(function Line<Row>({ row, columns, index }: LineProps<Row>) {
  return (
    <tr aria-rowindex={index + 2}>
      {columns.map(({ head, cell, isNumber }) => (
        <td key={head} className={isNumber ? 'number' : undefined}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: LineProps<Row>) => ReactNode;

function Gap({ height, span }: { readonly height: number; readonly span: number }) {
  return (
    <tr>
      <td colSpan={span} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

export function isoTime(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? '' : new Date(ms).toISOString();
}

/** Rows that are here already, with their export. */
export function Rows<Row>({
  what,
  rows,
  columns,
  keyOf,
}: Pick<ListProps<Row>, 'what' | 'columns' | 'keyOf'> & { readonly rows: readonly Row[] }) {
  const load: LoadPage<Row> = async () => ({ rows, next: null, total: null, incomplete: null });
  return (
    <>
      <Table what={what} rows={rows} columns={columns} keyOf={keyOf} />
      <div className="list-end">
        <Export what={what} load={load} columns={columns} />
      </div>
    </>
  );
}
