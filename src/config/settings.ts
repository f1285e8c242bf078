import { z } from 'zod';
import { type ComposedSettings, ConfigurationError, compose, variablesOf } from './composed.ts';
import { type Row, table } from './table.ts';

/**
 * The settings of a process, read once from the environment. This file is the only reader of `process.env`;
 * `potstream up` hands its children their settings as the environment that `environmentOf` writes.
 */

type Table = typeof table;
type ValueOf<Each> = Each extends Row<string | null, infer Value> ? Value : never;

/** What each variable of the table says. */
export type Values = { readonly [Name in keyof Table]: ValueOf<Table[Name]> };

type TableSettings = {
  readonly [Name in keyof Table as Table[Name]['field'] extends string
    ? Table[Name]['field']
    : never]: ValueOf<Table[Name]>;
};

/** The fields that `table.ts` names, and those that `composed.ts` makes of several variables. */
export type Settings = TableSettings & ComposedSettings;

type Environment = Readonly<Record<string, string | undefined>>;

const rows = Object.entries<Row>(table);
const environmentShape = z.object(Object.fromEntries(rows.map(([name, { shape }]) => [name, shape.type])));

/**
 * Reads the settings from an environment, by default the process's own.
 * @throws ConfigurationError naming every variable that is wrong.
 */
export function readSettings(
  environment: Environment = process.env,
  beneath: Readonly<Record<string, string>> = {},
): Settings {
  const given: Environment = { ...beneath, ...environment };
  const texts = rows.map(([name, { standard }]) => [name, given[name] ?? standard]);
  const parsed = environmentShape.safeParse(Object.fromEntries(texts));
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigurationError(`The environment cannot be used. ${lines.join('; ')}.`);
  }
  const values = parsed.data as Values;
  const fields = rows.flatMap(([name, { field }]) =>
    field === null ? [] : [[field, values[name as keyof Values]]],
  );
  return { ...(Object.fromEntries(fields) as TableSettings), ...compose(values) };
}

/** The environment from which `readSettings` reads these settings again; for a child process. */
export function environmentOf(settings: Settings): Record<string, string> {
  const variables = rows.flatMap(([name, { field, shape }]) =>
    field === null ? [] : [[name, shape.write(settings[field as keyof TableSettings])]],
  );
  return { ...Object.fromEntries(variables), ...variablesOf(settings) };
}

/** The settings as `potstream settings` shows them. */
export function describeSettings() {
  return rows.map(([name, { standard, meaning }]) => ({ name, default: standard, meaning }));
}

/** The keys of an operator's wallet, for `potstream wallet verify` alone: no role has them. */
export const readWalletKeys = () => ({
  bearer_key: process.env.POTSTREAM_WALLET_BEARER_KEY,
  hmac_secret: process.env.POTSTREAM_WALLET_HMAC_SECRET,
});

/** Opens published epochs to `potstream verify`. */
export const readVerifyToken = () => process.env.POTSTREAM_VERIFY_TOKEN;

/** What a process needs beside its settings: programs, directories, languages, and options of Node. */
const neededFromOutside =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|TZ|TMPDIR|TMP|TEMP|CI|GLIBC_TUNABLES|(LC|NODE|UV|LD|MALLOC|SSL_CERT|OTEL|VITEST)_.*|.*_proxy)$/i;

/** The environment that a child inherits beside its settings. Secrets of other services are left out. */
export function inheritedEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && neededFromOutside.test(entry[0]),
  );
  return Object.fromEntries(entries);
}
