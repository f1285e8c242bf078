/** A part of a list; `next` is null at its end. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
  /** How many there are in all; null: the service does not say. */
  readonly total: string | null;
  /** What is missing from the list; null: nothing. */
  readonly incomplete: string | null;
}

export type LoadPage<Row> = (from: string | null) => Promise<Page<Row>>;

export const pageSize = 100;

interface Answer<Row> {
  readonly body: readonly Row[];
  readonly response: Response;
}

/** A list with cursors. */
export function cursorPages<Row>(
  ask: (query: { cursor?: string; limit: number }) => Promise<Answer<Row>>,
): LoadPage<Row> {
  return async (from) => {
    const { body, response } = await ask({ limit: pageSize, ...(from === null ? {} : { cursor: from }) });
    const { headers } = response;
    return {
      rows: body,
      next: headers.get('x-next-cursor'),
      total: headers.get('x-total-count'),
      // Of the books the shell says so.
      incomplete: headers.has('x-as-of') ? null : headers.get('x-incomplete'),
    };
  };
}

/** All rows, page by page, up to a limit; `progress` hears how many there are. */
export async function allRows<Row>(
  load: LoadPage<Row>,
  maxRows: number,
  progress: (rows: number) => void = () => {},
): Promise<{ readonly rows: readonly Row[]; readonly isWhole: boolean }> {
  const rows: Row[] = [];
  let from: string | null = null;
  do {
    const page: Page<Row> = await load(from);
    rows.push(...page.rows);
    progress(rows.length);
    from = page.next;
  } while (from !== null && rows.length < maxRows);
  return { rows: rows.slice(0, maxRows), isWhole: from === null && rows.length <= maxRows };
}
