import { join, resolve } from 'node:path';
import { z } from 'zod';
import { readNetwork } from '../network/trusted-proxies.ts';
import {
  type AdministrationSettings,
  administrationEnvironment,
  environmentOfAdministration,
  readAdministrationSettings,
} from './administration.ts';
import {
  type ArchiveSettings,
  archiveEnvironment,
  environmentOfArchive,
  readArchiveSettings,
} from './archive.ts';
import { environmentOfFeeds, type FeedSettings, feedEnvironment, readFeedSettings } from './feeds.ts';
import { environmentOfHost, type HostSettings, hostEnvironment, readHostSettings } from './host.ts';
import {
  environmentOfListeners,
  type ListenerSettings,
  listenerShape,
  readListenerSettings,
  yesOrNo,
} from './listeners.ts';
import {
  ConfigurationError,
  environmentOfCredentials,
  type NatsCredentials,
  type NatsTls,
  natsCredentials,
  natsShape,
  natsTls,
} from './nats.ts';
import {
  environmentOfPayments,
  type PaymentSettings,
  paymentEnvironment,
  readPaymentSettings,
} from './payments.ts';
import {
  environmentOfStreams,
  readStreamSettings,
  type StreamSettings,
  streamEnvironment,
} from './streams.ts';
import {
  environmentOfTracing,
  readTracingSettings,
  type TracingSettings,
  tracingEnvironment,
} from './tracing.ts';

/**
 * The settings of a process, read once from the environment. This file is the only reader of `process.env`;
 * `potstream up` hands its children their settings as the environment that `environmentOf` writes.
 */

const perSecond = z.coerce.number().int().min(1).max(10_000_000);

const maxNetworks = 256;
const networks = z.string().transform((text, context): readonly string[] => {
  const list = text.split(/[\s,]+/).filter((network) => network !== '');
  const wrong = list.filter((network) => readNetwork(network) === null);
  if (wrong.length > 0) context.addIssue(`not a network, or a network of all addresses: ${wrong.join(' ')}`);
  if (list.length > maxNetworks) context.addIssue(`more than ${maxNetworks} networks`);
  return list;
});

/** One row a setting: the variable's name, its shape with the default, and its description. */
const environmentShape = z.object({
  POTSTREAM_DATA: z
    .string()
    .min(1)
    .default('./.potstream')
    .describe('directory for keys, streams, snapshots, ports and logs'),
  POTSTREAM_LANES: z.coerce
    .number()
    .int()
    .min(1)
    .max(1024)
    .default(4)
    .describe('number of lanes; fixed when the system is created'),
  ...natsShape,
  POTSTREAM_DRAW_KEYS: z
    .string()
    .default('')
    .describe('directory of the keys that seal draw seeds, for actors; empty: <data>/keys/draws'),
  POTSTREAM_NATS_SERVER: z
    .string()
    .default('')
    .describe('path of the nats-server to start; empty: search the PATH, then fetch it'),
  POTSTREAM_REPLICAS: z.coerce
    .number()
    .int()
    .refine((count) => count === 1 || count === 3 || count === 5, 'must be 1, 3 or 5')
    .default(1)
    .describe('replicas of each stream and bucket: 1 on one machine, 3 or 5 on a cluster'),
  ...streamEnvironment,
  ...archiveEnvironment,
  ...listenerShape,
  ...feedEnvironment,
  POTSTREAM_PUBLIC_GETS_PER_SECOND: perSecond
    .default(100)
    .describe('max. GETs per second without a credential from one address at a gateway'),
  POTSTREAM_EVENTS_PER_SECOND: perSecond
    .default(100)
    .describe(
      'max. events of other platforms per second for one operator at a gateway; each KiB counts as one more',
    ),
  POTSTREAM_CONNECTIONS_PER_ADDRESS: z.coerce
    .number()
    .int()
    .min(1)
    .max(20_000)
    .default(2_000)
    .describe('max. connections of one address to a gateway; those of trusted proxies do not count'),
  POTSTREAM_FEEDS_PER_ADDRESS: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(1_000)
    .describe('max. websockets of one address at a gateway; they count as connections too'),
  POTSTREAM_TRUSTED_PROXIES: networks
    .prefault('')
    .describe(
      'comma-separated networks (CIDR) of proxies whose X-Forwarded-For header is trusted; empty: ignore the header',
    ),
  ...administrationEnvironment,
  ...paymentEnvironment,
  POTSTREAM_HOLD_READY: yesOrNo
    .prefault('0')
    .describe('the gateway is not ready until its parent process says so; set by up'),
  POTSTREAM_DEMO: yesOrNo
    .prefault('0')
    .describe("the gateway serves the demo's page; never set this in production"),
  POTSTREAM_TRAFFIC: yesOrNo.prefault('1').describe('the demo sends contributions'),
  POTSTREAM_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('lowest level that is logged'),
  ...hostEnvironment,
  ...tracingEnvironment,
  POTSTREAM_MAXIMUM_LOG_LEAD_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(10 * 366 * 86_400)
    .default(300)
    .describe("a lane halts before a new message that is further ahead of its host's clock"),
  POTSTREAM_DEVELOPMENT: z
    .enum(['', '0', '1', 'true', 'false'])
    .transform((text) => (text === '' ? null : text === '1' || text === 'true'))
    .default(null)
    .describe(
      'wallets and webhooks may use plain HTTP to loopback; empty: only with the demo or under "npm start"',
    ),
  POTSTREAM_INSECURE_DURABILITY: yesOrNo
    .prefault('0')
    .describe('start even if nats-server does not sync every message'),
  POTSTREAM_WITNESS_DIRECTORY: z
    .string()
    .default('')
    .describe(
      'second directory for the witness of the log, best on another disk or machine; empty: only the data directory',
    ),
  POTSTREAM_NEW_KEYS: yesOrNo
    .prefault('0')
    .describe('start even if keys are missing that seal secrets of this system; new keys are made'),
  POTSTREAM_EPOCH_SECONDS: z
    .union([z.literal('').transform(() => null), z.coerce.number().int().min(1)])
    .default(null)
    .describe(
      'length of a draw epoch in log time; empty: 86400, or 120 if up runs the demo; applies once this host owns a lane',
    ),
  POTSTREAM_EPOCH_SEQUENCES: z.coerce
    .number()
    .int()
    .min(1000)
    .max(2 ** 20)
    .default(2 ** 20)
    .describe(
      'length of a draw epoch in sequence numbers of its instance; applies once this host owns a lane',
    ),
  POTSTREAM_MAXIMUM_RATE_AGE_SECONDS: z
    .union([z.literal('').transform(() => null), z.coerce.number().int().min(1)])
    .default(null)
    .describe(
      'max. age of currency rates: older rates convert no amount; empty: no limit; applies once this host owns a lane',
    ),
  POTSTREAM_RATE_AGE_ALARM_SECONDS: z.coerce
    .number()
    .int()
    .min(60)
    .default(259_200)
    .describe('age of currency rates that raises an alarm'),
  POTSTREAM_MAX_PLAYERS_PER_OPERATOR: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000_000)
    .default(10_000_000)
    .describe(
      "max. players of an operator's brands in one lane, over all instances; applies once this host owns a lane",
    ),
});

type PartSettings = StreamSettings &
  ArchiveSettings &
  FeedSettings &
  ListenerSettings &
  AdministrationSettings &
  PaymentSettings &
  HostSettings &
  TracingSettings;

/** The parsed variables of `environmentShape`, where each is described. */
export type Settings = PartSettings & {
  /** Absolute path. Keys are in `<data>/keys`, JetStream's files in `<data>/nats`, ports and pids in `<data>/run`. */
  readonly dataDirectory: string;
  readonly lanes: number;
  readonly natsUrl: string;
  /** null: this process may not use it. */
  readonly natsMonitorUrl: string | null;
  readonly natsCredentials: NatsCredentials | null;
  readonly natsTls: NatsTls | null;
  /** Absolute path. */
  readonly drawKeysDirectory: string;
  readonly natsServerPath: string | null;
  readonly replicas: number;
  readonly publicGetsPerSecond: number;
  readonly eventsPerSecond: number;
  readonly connectionsPerAddress: number;
  readonly feedsPerAddress: number;
  /** Each as `readNetwork` takes it. */
  readonly trustedProxies: readonly string[];
  readonly holdReady: boolean;
  readonly demo: boolean;
  readonly traffic: boolean;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  readonly maximumLogLeadSeconds: number;
  /** null: not set. */
  readonly development: boolean | null;
  readonly insecureDurability: boolean;
  readonly newKeys: boolean;
  /** Absolute path. */
  readonly witnessDirectory: string | null;
  /** null: not set. */
  readonly epochSeconds: number | null;
  readonly epochSequences: number;
  /** null: rates never age (docs/rules/money-and-currencies.md "Exchange rates"). */
  readonly maximumRateAgeSeconds: number | null;
  readonly rateAgeAlarmSeconds: number;
  readonly maxPlayersPerOperator: number;
};

/** One setting, as `potstream settings` shows it. */
type SettingDescription = {
  readonly name: string;
  readonly default: string;
  readonly meaning: string;
};

export function describeSettings(): readonly SettingDescription[] {
  const { properties = {} } = z.toJSONSchema(environmentShape, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).map(([name, property]) => {
    const { default: standard, description = '' } = property as z.core.JSONSchema.Schema;
    return { name, default: String(standard ?? ''), meaning: description };
  });
}

export { ConfigurationError } from './nats.ts';
export type { TracingTarget } from './tracing.ts';

/**
 * Reads the settings from an environment, by default the process's own.
 * @throws ConfigurationError naming every variable that is wrong.
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  beneath: Readonly<Record<string, string>> = {},
): Settings {
  const parsed = environmentShape.safeParse({ ...beneath, ...environment });
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new ConfigurationError(`The environment cannot be used. ${lines.join('; ')}.`);
  }
  const values = parsed.data;
  return {
    dataDirectory: resolve(values.POTSTREAM_DATA),
    lanes: values.POTSTREAM_LANES,
    natsUrl: values.POTSTREAM_NATS_URL,
    natsMonitorUrl: values.POTSTREAM_NATS_MONITOR_URL || null,
    natsCredentials: natsCredentials(values),
    natsTls: natsTls(values),
    drawKeysDirectory: resolve(values.POTSTREAM_DRAW_KEYS || join(values.POTSTREAM_DATA, 'keys', 'draws')),
    natsServerPath: values.POTSTREAM_NATS_SERVER || null,
    replicas: values.POTSTREAM_REPLICAS,
    ...readStreamSettings(values),
    ...readArchiveSettings(values),
    ...readListenerSettings(values),
    ...readFeedSettings(values),
    publicGetsPerSecond: values.POTSTREAM_PUBLIC_GETS_PER_SECOND,
    eventsPerSecond: values.POTSTREAM_EVENTS_PER_SECOND,
    connectionsPerAddress: values.POTSTREAM_CONNECTIONS_PER_ADDRESS,
    feedsPerAddress: values.POTSTREAM_FEEDS_PER_ADDRESS,
    trustedProxies: values.POTSTREAM_TRUSTED_PROXIES,
    ...readAdministrationSettings(values),
    ...readPaymentSettings(values),
    holdReady: values.POTSTREAM_HOLD_READY,
    demo: values.POTSTREAM_DEMO,
    traffic: values.POTSTREAM_TRAFFIC,
    logLevel: values.POTSTREAM_LOG_LEVEL,
    ...readHostSettings(values),
    ...readTracingSettings(values),
    maximumLogLeadSeconds: values.POTSTREAM_MAXIMUM_LOG_LEAD_SECONDS,
    development: values.POTSTREAM_DEVELOPMENT,
    insecureDurability: values.POTSTREAM_INSECURE_DURABILITY,
    newKeys: values.POTSTREAM_NEW_KEYS,
    witnessDirectory:
      values.POTSTREAM_WITNESS_DIRECTORY === '' ? null : resolve(values.POTSTREAM_WITNESS_DIRECTORY),
    epochSeconds: values.POTSTREAM_EPOCH_SECONDS,
    epochSequences: values.POTSTREAM_EPOCH_SEQUENCES,
    maximumRateAgeSeconds: values.POTSTREAM_MAXIMUM_RATE_AGE_SECONDS,
    rateAgeAlarmSeconds: values.POTSTREAM_RATE_AGE_ALARM_SECONDS,
    maxPlayersPerOperator: values.POTSTREAM_MAX_PLAYERS_PER_OPERATOR,
  };
}

/** The keys of an operator's wallet, for `potstream wallet verify` alone: no role has them. */
export function readWalletKeys(environment: Readonly<Record<string, string | undefined>> = process.env) {
  return {
    bearer_key: environment.POTSTREAM_WALLET_BEARER_KEY,
    hmac_secret: environment.POTSTREAM_WALLET_HMAC_SECRET,
  };
}

/** Opens published epochs to `potstream verify`. */
export const readVerifyToken = () => process.env.POTSTREAM_VERIFY_TOKEN;
/** The environment from which `readSettings` reads these settings again; for a child process. */
export function environmentOf(settings: Settings): Record<string, string> {
  return {
    POTSTREAM_DATA: settings.dataDirectory,
    POTSTREAM_LANES: String(settings.lanes),
    POTSTREAM_NATS_URL: settings.natsUrl,
    POTSTREAM_NATS_MONITOR_URL: settings.natsMonitorUrl ?? '',
    ...environmentOfCredentials(settings.natsCredentials),
    POTSTREAM_NATS_CA_FILE: settings.natsTls?.caFile ?? '',
    POTSTREAM_NATS_CERT_FILE: settings.natsTls?.certificate?.certFile ?? '',
    POTSTREAM_NATS_KEY_FILE: settings.natsTls?.certificate?.keyFile ?? '',
    POTSTREAM_DRAW_KEYS: settings.drawKeysDirectory,
    POTSTREAM_NATS_SERVER: settings.natsServerPath ?? '',
    POTSTREAM_REPLICAS: String(settings.replicas),
    ...environmentOfStreams(settings),
    ...environmentOfArchive(settings),
    ...environmentOfListeners(settings),
    ...environmentOfFeeds(settings),
    POTSTREAM_PUBLIC_GETS_PER_SECOND: String(settings.publicGetsPerSecond),
    POTSTREAM_EVENTS_PER_SECOND: String(settings.eventsPerSecond),
    POTSTREAM_CONNECTIONS_PER_ADDRESS: String(settings.connectionsPerAddress),
    POTSTREAM_FEEDS_PER_ADDRESS: String(settings.feedsPerAddress),
    POTSTREAM_TRUSTED_PROXIES: settings.trustedProxies.join(','),
    ...environmentOfAdministration(settings),
    ...environmentOfPayments(settings),
    POTSTREAM_HOLD_READY: settings.holdReady ? '1' : '0',
    POTSTREAM_DEMO: settings.demo ? '1' : '0',
    POTSTREAM_TRAFFIC: settings.traffic ? '1' : '0',
    POTSTREAM_LOG_LEVEL: settings.logLevel,
    ...environmentOfHost(settings),
    ...environmentOfTracing(settings),
    POTSTREAM_MAXIMUM_LOG_LEAD_SECONDS: String(settings.maximumLogLeadSeconds),
    POTSTREAM_DEVELOPMENT: settings.development === null ? '' : settings.development ? '1' : '0',
    POTSTREAM_INSECURE_DURABILITY: settings.insecureDurability ? '1' : '0',
    POTSTREAM_WITNESS_DIRECTORY: settings.witnessDirectory ?? '',
    POTSTREAM_NEW_KEYS: settings.newKeys ? '1' : '0',
    POTSTREAM_EPOCH_SECONDS: String(settings.epochSeconds ?? ''),
    POTSTREAM_EPOCH_SEQUENCES: String(settings.epochSequences),
    POTSTREAM_MAXIMUM_RATE_AGE_SECONDS: String(settings.maximumRateAgeSeconds ?? ''),
    POTSTREAM_RATE_AGE_ALARM_SECONDS: String(settings.rateAgeAlarmSeconds),
    POTSTREAM_MAX_PLAYERS_PER_OPERATOR: String(settings.maxPlayersPerOperator),
  };
}

/** Variables that a process needs beside its settings: programs, directories, languages, and options of Node. */
const neededFromOutside =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|TZ|TMPDIR|TMP|TEMP|CI|GLIBC_TUNABLES|(LC|NODE|UV|LD|MALLOC|SSL_CERT|OTEL|VITEST)_.*|.*_proxy)$/i;

/** The environment that a child inherits beside its settings. Secrets of other services are left out. */
export function inheritedEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && neededFromOutside.test(entry[0]),
  );
  return Object.fromEntries(entries);
}
