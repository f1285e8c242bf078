/** Rows of docs/status.md, and what it gets wrong about a system. */

export interface StatusRow {
  /** O8; '' where the operation has no number. */
  readonly number: string;
  readonly routes: readonly string[];
  readonly isBuilt: boolean;
}

export interface Built {
  /** Routes by number. */
  readonly numbered: Readonly<Record<string, readonly string[]>>;
  readonly unnumbered: readonly string[];
  /** All routes that the system serves or calls. */
  readonly running: ReadonlySet<string>;
}

const states: ReadonlySet<string> = new Set(['built', 'not built']);

/** The rows of every table with a column "method and path". */
export function statusRows(page: string): StatusRow[] {
  const rows: StatusRow[] = [];
  for (const line of page.split('\n')) {
    const cells = line.split('|').map((cell) => cell.trim());
    const routesAt = cells.findIndex((cell) => /^`(?:GET|POST|PUT|PATCH|DELETE|WS) \//.test(cell));
    if (routesAt < 0) continue;
    const state = cells[routesAt + 1] as string;
    if (!states.has(state)) throw new Error(`Neither built nor not built: ${line}`);
    rows.push({
      number: routesAt === 3 ? (cells[1] as string) : '',
      routes: codesOf(cells[routesAt] as string),
      isBuilt: state === 'built',
    });
  }
  return rows;
}

/** Commands in the table below "Commands", by what the page says of them. */
export function statusCommands(page: string, state: 'built' | 'not built'): string[] {
  const section = page.split('\n## ').find((part) => part.startsWith('Commands\n')) ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `') && line.split('|')[2]?.trim() === state)
    .flatMap((line) => codesOf(line.split('|')[1] as string));
}

/** A sentence for each difference between the page and the system; none where the page is true. */
export function differences(rows: readonly StatusRow[], built: Built): string[] {
  const found: string[] = [];
  for (const [number, routes] of Object.entries(built.numbered)) {
    const own = rows.filter((row) => row.number === number);
    if (own.length !== 1) found.push(`${number} has ${own.length} rows`);
    else if (own[0]!.routes.toSorted().join() !== routes.toSorted().join())
      found.push(`${number} has other routes`);
  }
  for (const { number } of rows)
    if (number !== '' && !(number in built.numbered)) found.push(`${number} is no number`);
  const told = rows.flatMap(({ routes, isBuilt }) => routes.map((route) => ({ route, isBuilt })));
  for (const { route, isBuilt } of told)
    if (isBuilt !== built.running.has(route)) found.push(`${route} is ${isBuilt ? 'not built' : 'built'}`);
  const routes = told.map(({ route }) => route);
  for (const route of new Set([...built.running, ...built.unnumbered])) {
    const count = routes.filter((each) => each === route).length;
    if (count !== 1) found.push(`${route} is named ${count} times`);
  }
  return found;
}

function codesOf(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string);
}
