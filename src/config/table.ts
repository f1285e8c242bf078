import {
  anyText,
  archivePlace,
  count,
  day,
  decimal,
  hostName,
  hour,
  httpUrl,
  mebibyte,
  minute,
  networks,
  oneOf,
  optionalCount,
  optionalPath,
  optionalText,
  pairs,
  path,
  percent,
  publicOrigin,
  replicas,
  type SettingShape,
  second,
  serviceName,
  someText,
  sums,
  yesOrNo,
  yesOrNoIfSet,
} from './shapes.ts';

/** A variable of the environment. */
// biome-ignore lint/suspicious/noExplicitAny: rows of different values in one table
export interface Row<Field extends string | null = string | null, Value = any> {
  /** Its field in the settings; null: other fields are made of it (`composed.ts`). */
  readonly field: Field;
  readonly shape: SettingShape<Value>;
  readonly standard: string;
  /** Words: roles, `up` and other commands, or `all`. */
  readonly readers: string;
  readonly meaning: string;
}

/** Processes of a role on one machine: more would only compete for its cores. */
export const maxProcesses = 16;

const perSecond = count(1, 10_000_000);
const port = count(0, 65_535);
/** Empty: a stream keeps its limit. */
const streamBytes = optionalCount(mebibyte);
const minutes = count(0, 100_000, minute);
const days = optionalCount(1, 36_500, day);
const logLead = count(1, 10 * 366 * 86_400);
const alarmSeconds = count(1, 366 * 86_400, second);
const factors = oneOf('optional', 'required');
const givesWay = count(0, 3_600, second);
const players = count(1, 100_000_000);
const engines = oneOf('auto', 'uwebsockets', 'ws');
const logLevels = oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent');
const plainSamplers = ['always_on', 'always_off', 'traceidratio'] as const;
const samplers = [...plainSamplers, ...plainSamplers.map((each) => `parentbased_${each}` as const)];

/**
 * Every variable, in the order of `potstream settings`. The settings, how they are read, and the environment
 * of child processes follow from this table.
 */
export const table = {
  POTSTREAM_DATA: row('dataDirectory', path, 'all', './.potstream').means(
    'directory for keys, streams, snapshots, ports and logs',
  ),
  POTSTREAM_LANES: row('lanes', count(1, 1024), 'all', 4).means(
    'number of lanes; fixed when the system is created',
  ),
  POTSTREAM_NATS_URL: row('natsUrl', someText, 'all', 'nats://127.0.0.1:4222').means(
    'address of nats-server; up starts its own',
  ),
  POTSTREAM_NATS_MONITOR_URL: row('natsMonitorUrl', optionalText, 'actors storage commands').means(
    "base URLs of nats-servers' monitoring ports, separated by commas; actors start only if each that answers syncs every message; empty: they cannot check that",
  ),
  POTSTREAM_NATS_USER: row(null, anyText, 'all').means('user at nats-server'),
  POTSTREAM_NATS_PASSWORD: row(null, anyText, 'all').means('password of that user'),
  POTSTREAM_NATS_NKEY_FILE: row(null, anyText, 'all').means(
    'file (mode 0600) with the seed of an nkey, instead of user and password',
  ),
  POTSTREAM_NATS_CREDENTIALS_FILE: row(null, anyText, 'all').means(
    'file (mode 0600) with a JWT and its seed, instead of user and password',
  ),
  POTSTREAM_NATS_CA_FILE: row(null, optionalPath, 'all').means(
    'file with the certificates to trust at nats-server; setting it requires TLS',
  ),
  POTSTREAM_NATS_CERT_FILE: row(null, optionalPath, 'all').means(
    "file with this process' certificate, if nats-server verifies clients",
  ),
  POTSTREAM_NATS_KEY_FILE: row(null, optionalPath, 'all').means('file with the key of that certificate'),
  POTSTREAM_DRAW_KEYS: row(null, anyText, 'actors up commands').means(
    'directory of the keys that seal draw seeds, for actors; empty: <data>/keys/draws',
  ),
  POTSTREAM_NATS_SERVER: row('natsServerPath', optionalText, 'up commands').means(
    'path of the nats-server to start; empty: search the PATH, then fetch it',
  ),
  POTSTREAM_REPLICAS: row('replicas', replicas, 'storage', 1).means(
    'replicas of each stream and bucket: 1 on one machine, 3 or 5 on a cluster',
  ),
  POTSTREAM_STREAM_MAX_BYTES: row('streamMaxBytes', streamBytes, 'storage').means(
    'max_bytes of each stream of a lane; applies at the next start of storage; empty: unchanged, 4 GiB for a new stream',
  ),
  POTSTREAM_OUTCOME_STREAM_MAX_BYTES: row('outcomeStreamMaxBytes', streamBytes, 'storage').means(
    'max_bytes of the streams of outcome records; empty: as POTSTREAM_STREAM_MAX_BYTES',
  ),
  POTSTREAM_STREAM_MAX_AGE_DAYS: row('streamMaxAgeMs', days, 'storage actors commands').means(
    'retention of the streams of lanes; applies at the next start of storage; empty: unchanged, 35 for a new stream',
  ),
  POTSTREAM_AUDIT_MAX_BYTES: row('auditMaxBytes', streamBytes, 'storage').means(
    'max_bytes of the stream AUDIT; applies at the next start of storage; empty: unchanged, no limit for a new stream',
  ),
  POTSTREAM_AUDIT_MAX_AGE_DAYS: row('auditMaxAgeMs', days, 'storage actors gateway commands').means(
    'retention of the stream AUDIT, also for whoever verifies it; applies at the next start of storage; empty: unchanged, no limit for a new stream, and nothing may be missing',
  ),
  POTSTREAM_STREAM_RESERVE_PERCENT: row('streamReserveRatio', percent(1, 90), 'actors commands', 12).means(
    "reserve of a lane's streams for ownership, timers, reveals and settlements; contributions are refused within it",
  ),
  POTSTREAM_STREAM_ALARM_PERCENT: row('streamAlarmRatio', percent(1, 100), 'actors commands', 70).means(
    "fill level of a lane's stream that raises an alarm",
  ),
  POTSTREAM_STREAM_ALARM_HOURS: row('streamAlarmMs', decimal(0, 8_760, hour), 'actors commands', 24).means(
    "raise an alarm when a lane's stream would be full within this time; 0: never",
  ),
  POTSTREAM_ARCHIVE: row('archive', archivePlace, 'actors storage commands', 'objects').means(
    'where the log of the lanes is archived: objects (in nats-server), a directory that all roles share, or off',
  ),
  POTSTREAM_ARCHIVE_AFTER_MINUTES: row('archiveAfterMs', minutes, 'actors storage', 60).means(
    "age from which messages are archived; those of a lane's full streams sooner",
  ),
  POTSTREAM_ARCHIVE_KEEP_HOURS: row('archiveKeepMs', decimal(0, 8_760, hour), 'actors storage', 25).means(
    'archived messages stay in the streams too until they are so old, if there is room',
  ),
  POTSTREAM_ARCHIVE_DAYS: row('archiveMs', days, 'actors storage commands').means(
    'age at which segments leave the archive; empty: never',
  ),
  POTSTREAM_HOST: row('gatewayHost', someText, 'gateway up demo', '127.0.0.1').means(
    'address that the gateway listens on',
  ),
  POTSTREAM_PORT: row('gatewayPort', port, 'gateway up demo', 8080).means('port that the gateway listens on'),
  POTSTREAM_GATEWAYS: row('gateways', count(1, maxProcesses), 'gateway up', 1).means(
    'number of gateway processes that up runs behind POTSTREAM_PORT; limits per gateway hold for each',
  ),
  POTSTREAM_LISTEN_FD: row('listenFd', optionalCount(3, 1023), 'gateway fanout').means(
    'socket that the gateway or fan-out inherits in place of a port of its own; set by up',
  ),
  POTSTREAM_FANOUT_HOST: row('fanoutHost', someText, 'fanout gateway up', '127.0.0.1').means(
    'address that the fan-out listens on, and at which a gateway reaches it; on another than loopback only trusted proxies should reach it',
  ),
  POTSTREAM_FANOUT_PORT: row('fanoutPort', port, 'fanout gateway up', 0).means(
    'port of the fan-out, which takes websockets from gateways and balancers; 0: any free port',
  ),
  POTSTREAM_FANOUTS: row('fanouts', count(1, maxProcesses), 'fanout up', 1).means(
    'number of fan-out processes that up runs behind POTSTREAM_FANOUT_PORT; limits per process hold for each',
  ),
  POTSTREAM_CONSOLE: row('console', oneOf('on', 'off'), 'gateway up', 'on').means(
    "whether the gateway serves the administrators' console at /console/",
  ),
  POTSTREAM_PUBLIC_URL: row('publicUrl', publicOrigin, 'gateway').means(
    'origin at which browsers reach the gateways, such as https://jackpots.example.com, to which identity providers send administrators back; empty: nobody logs in by one, in development http://127.0.0.1 and POTSTREAM_PORT',
  ),
  POTSTREAM_PUBLIC_DEMO: row('publicDemo', yesOrNo, 'gateway', 0).means(
    "the demo's page may have any Host, not only one of this machine; set by up --public-demo",
  ),
  POTSTREAM_WALLET_HOST: row('walletHost', someText, 'reference-wallet demo up', '127.0.0.1').means(
    'address that the reference wallet listens on',
  ),
  POTSTREAM_WALLET_PORT: row('walletPort', port, 'reference-wallet demo up', 0).means(
    'port of the reference wallet; 0: any free port',
  ),
  POTSTREAM_OPERATIONS_HOST: row('operationsHost', someText, 'all', '127.0.0.1').means(
    'address for /livez, /readyz and /metrics of this process; it asks for no credential, so only scrapers and balancers should reach it',
  ),
  POTSTREAM_OPERATIONS_PORT: row('operationsPort', port, 'all', 0).means(
    'port for /livez, /readyz and /metrics of this process; 0: any free port',
  ),
  POTSTREAM_DRAIN_WAIT_SECONDS: row('drainWaitMs', decimal(0, 60, second), 'gateway fanout up', 0).means(
    'how long a gateway that is asked to stop still serves while /readyz says 503: the time a balancer needs to notice',
  ),
  POTSTREAM_WEBSOCKET_ENGINE: row('websocketEngine', engines, 'fanout up commands', 'auto').means(
    'websocket engine of the fan-out: uwebsockets (uWebSockets.js), ws, or auto: ws only where uWebSockets.js cannot be loaded or its file is not known',
  ),
  POTSTREAM_FANOUT_SOCKETS: row('fanoutSockets', count(1, 1_000_000), 'fanout', 18_000).means(
    'max. websockets of one fan-out process',
  ),
  POTSTREAM_STATUS_PERIOD_MS: row('statusPeriodMs', count(100, 60_000), 'fanout', 2000).means(
    'interval at which the jackpot status feed sends the status',
  ),
  POTSTREAM_PUBLIC_GETS_PER_SECOND: row('publicGetsPerSecond', perSecond, 'gateway', 100).means(
    'max. GETs per second without a credential from one address at a gateway',
  ),
  POTSTREAM_EVENTS_PER_SECOND: row('eventsPerSecond', perSecond, 'gateway', 100).means(
    'max. events of other platforms per second for one operator at a gateway; each KiB counts as one more',
  ),
  POTSTREAM_FEED_TICKETS_PER_SECOND: row('feedTicketsPerSecond', perSecond, 'gateway', 100).means(
    'max. tickets of feeds per second for the services of one operator at a gateway, and as many for its players',
  ),
  POTSTREAM_CONNECTIONS_PER_ADDRESS: row('connectionsPerAddress', count(1, 20_000), 'gateway', 2000).means(
    'max. connections of one address to a gateway; those of trusted proxies do not count',
  ),
  POTSTREAM_FEEDS_PER_ADDRESS: row('feedsPerAddress', count(1, 10_000), 'gateway', 1000).means(
    'max. websockets of one address at a gateway; they count as connections too',
  ),
  POTSTREAM_PUBLIC_FEEDS_PER_ADDRESS: row(
    'publicFeedsPerAddress',
    count(1, 20_000),
    'gateway fanout',
    100,
  ).means(
    'max. public feeds, websockets and event streams together, of one address at a gateway and at a fan-out',
  ),
  POTSTREAM_TRUSTED_PROXIES: row('trustedProxies', networks, 'gateway fanout').means(
    'comma-separated networks (CIDR) of proxies whose X-Forwarded-For header is trusted; empty: ignore the header',
  ),
  POTSTREAM_FAILED_LOGINS_PER_MINUTE: row('failedLoginsPerMinute', count(1, 1_000_000), 'gateway', 10).means(
    'max. failed log-ins per minute for one pair of user name and address, over all gateways',
  ),
  POTSTREAM_ADMINISTRATOR_WRITES_PER_SECOND: row(
    'administratorWritesPerSecond',
    perSecond,
    'gateway',
    200,
  ).means('max. changes per second by one administrator at a gateway; a burst may have five times as many'),
  POTSTREAM_APPROVAL_SECONDS: row('approvalLifetimeMs', count(1, 604_800, second), 'gateway', 86_400).means(
    'time in which a second administrator can approve a proposed change',
  ),
  POTSTREAM_SYSTEM_SECOND_FACTOR: row('systemSecondFactor', factors, 'gateway up', 'optional').means(
    'required: no administrator moves money without a second factor; optional: as each operator decides; the same at every gateway',
  ),
  POTSTREAM_ADMIN_URL: row(null, optionalText, 'commands').means(
    "address of the gateway for settlements and other administrators' commands; empty: that of the system in POTSTREAM_DATA",
  ),
  POTSTREAM_ADMIN_USERNAME: row(null, optionalText, 'commands').means(
    'administrator as whom these commands log in; empty: the first one of the system in POTSTREAM_DATA',
  ),
  POTSTREAM_ADMIN_PASSWORD: row(null, optionalText, 'commands').means(
    'password of that administrator; empty: from the file, or asked on the terminal',
  ),
  POTSTREAM_ADMIN_PASSWORD_FILE: row(null, optionalText, 'commands').means(
    'file (mode 0600) with that password',
  ),
  POTSTREAM_SERVICE_URL: row(null, optionalText, 'commands').means(
    'address of the gateway for send; empty: that of the system in POTSTREAM_DATA',
  ),
  POTSTREAM_SERVICE_USERNAME: row(null, optionalText, 'commands').means(
    "service user as whom send logs in; empty: the demo's of the system in POTSTREAM_DATA",
  ),
  POTSTREAM_SERVICE_PASSWORD: row(null, optionalText, 'commands').means(
    'password of that service user; empty: from the file, or asked on the terminal',
  ),
  POTSTREAM_SERVICE_PASSWORD_FILE: row(null, optionalText, 'commands').means(
    'file (mode 0600) with that password',
  ),
  POTSTREAM_PAYMENT_ALARM_SECONDS: row('paymentAlarmMs', alarmSeconds, 'actors outbox', 900).means(
    'age of an open debit, credit or delivery that raises an alarm, while the service works on it',
  ),
  POTSTREAM_PAYMENT_WAIT_ALARM_SECONDS: row(
    'paymentWaitAlarmMs',
    alarmSeconds,
    'actors outbox',
    86_400,
  ).means('age of an open debit, credit or delivery that raises an alarm, while it waits for a person'),
  POTSTREAM_DELIVERIES_ALARM: row('deliveriesAlarm', count(1, 1_000_000_000), 'outbox', 10_000).means(
    "an operator's callbacks and flushes without delivery that raise an alarm",
  ),
  POTSTREAM_PAYMENT_SUM_ALARM: row('paymentSumAlarm', sums, 'actors outbox').means(
    'sums of open debits and credits, and of flushes, that raise an alarm, such as EUR=10000; empty: none',
  ),
  POTSTREAM_REPORTING: row('reportingRole', oneOf('on', 'off'), 'up', 'on').means(
    'whether up runs the role reporting, which writes what happened to the reporting database',
  ),
  POTSTREAM_REPORTING_URL: row('reportingUrl', optionalText, 'reporting commands').means(
    'URL of the reporting database (PostgreSQL), such as postgresql://potstream@db.example.com/reporting; empty: files below POTSTREAM_DATA',
  ),
  POTSTREAM_REPORTING_PASSWORD_FILE: row('reportingPasswordFile', optionalPath, 'reporting commands').means(
    'file (mode 0600) with the password for that database',
  ),
  POTSTREAM_REPORTING_CHECK_HOUR: row('reportingCheckHour', optionalCount(0, 23), 'reporting', 4).means(
    'hour of the day (UTC) at which the role reporting checks the books; empty: never',
  ),
  POTSTREAM_REPORTING_KEEP_DAYS: row('reportingKeepMs', days, 'reporting').means(
    'age at which rows leave the reporting database, after the nightly check; totals of days stay; empty: never',
  ),
  POTSTREAM_REPORTING_PARQUET_DIRECTORY: row(
    'reportingParquetDirectory',
    optionalPath,
    'reporting commands',
  ).means(
    'directory to which the role reporting writes closed hours as Parquet files, the same for all its processes; empty: none',
  ),
  POTSTREAM_REPORTING_GIVES_WAY_SECONDS: row('reportingGivesWayMs', givesWay, 'reporting', 60).means(
    'how long the books give way at a time while others need the whole machine; 0: never',
  ),
  POTSTREAM_HOLD_READY: row('holdReady', yesOrNo, 'gateway', 0).means(
    'the gateway is not ready until its parent process says so; set by up',
  ),
  POTSTREAM_DEMO: row('demo', yesOrNo, 'gateway', 0).means(
    "the gateway serves the demo's page; never set this in production",
  ),
  POTSTREAM_TRAFFIC: row('traffic', yesOrNo, 'demo', 1).means('the demo sends contributions'),
  POTSTREAM_LOG_LEVEL: row('logLevel', logLevels, 'all', 'info').means('lowest level that is logged'),
  POTSTREAM_HOST_ID: row(null, hostName, 'actors').means(
    "name of this actor host, the same after a restart and no other host's; empty: made of the machine's name and the host's directory",
  ),
  POTSTREAM_HOST_DIRECTORY: row(null, anyText, 'actors commands').means(
    "directory for the snapshots, witness and epoch files of this actor host, no other host's; empty: the data directory",
  ),
  POTSTREAM_HUNG_AFTER_SECONDS: row('hungAfterSeconds', count(2, 3600), 'up', 15).means(
    'up treats a process as hung after this time without a sign of life; four times as long while it starts, and the role reporting, which gives way to others',
  ),
  POTSTREAM_HUNG_ACTION: row('hungAction', oneOf('replace', 'report'), 'up', 'replace').means(
    'what up does with a hung process',
  ),
  POTSTREAM_LANE_AUDIT_HOUR: row('laneAuditHour', optionalCount(0, 23), 'actors', 3).means(
    'hour of the day (UTC) at which actor hosts audit their lanes; empty: never',
  ),
  POTSTREAM_LANE_AUDIT_MINUTES: row('laneAuditMinutes', count(1, 1_380), 'actors', 120).means(
    'max. time of a nightly audit of all lanes of an actor host; the newest messages come first',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: row(null, httpUrl, 'all').means(
    'base URL of the OpenTelemetry collector, for OTLP over HTTP with JSON; empty: no traces',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: row(null, httpUrl, 'all').means(
    'URL that takes traces; empty: /v1/traces below OTEL_EXPORTER_OTLP_ENDPOINT',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: row(null, pairs, 'all').means(
    'headers for the collector, as name=value, comma-separated and percent-encoded',
  ),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: row(null, pairs, 'all').means('instead of OTEL_EXPORTER_OTLP_HEADERS'),
  OTEL_EXPORTER_OTLP_PROTOCOL: row(null, oneOf('', 'http/json'), 'all', 'http/json').means(
    'protocol of the collector: only http/json',
  ),
  OTEL_EXPORTER_OTLP_TIMEOUT: row(null, count(1, 60_000), 'all', 10_000).means(
    'milliseconds in which the collector must take a message',
  ),
  OTEL_SDK_DISABLED: row(null, oneOf('', 'true', 'false'), 'all').means('true: no traces'),
  OTEL_SERVICE_NAME: row(null, serviceName, 'all').means(
    'service name of the traces; empty: potstream-<role>',
  ),
  OTEL_RESOURCE_ATTRIBUTES: row(null, pairs, 'all').means(
    'attributes of the process, as name=value, comma-separated and percent-encoded',
  ),
  OTEL_TRACES_SAMPLER: row(null, oneOf(...samplers), 'all', 'parentbased_traceidratio').means(
    `which requests are traced: ${samplers.join(', ')}`,
  ),
  OTEL_TRACES_SAMPLER_ARG: row(null, decimal(0, 1), 'all', 0.01).means(
    'share of the requests that a sampler with a ratio takes',
  ),
  POTSTREAM_MAXIMUM_LOG_LEAD_SECONDS: row('maximumLogLeadSeconds', logLead, 'actors', 300).means(
    "a lane halts before a new message that is further ahead of its host's clock",
  ),
  POTSTREAM_DEVELOPMENT: row('development', yesOrNoIfSet, 'gateway wallet outbox up commands').means(
    'wallets and webhooks may use plain HTTP to loopback; empty: only with the demo or under "npm start"',
  ),
  POTSTREAM_INSECURE_DURABILITY: row('insecureDurability', yesOrNo, 'actors storage up', 0).means(
    'start even if nats-server does not sync every message',
  ),
  POTSTREAM_WITNESS_DIRECTORY: row('witnessDirectory', optionalPath, 'actors commands').means(
    'second directory for the witness of the log, best on another disk or machine; empty: only the data directory',
  ),
  POTSTREAM_NEW_KEYS: row('newKeys', yesOrNo, 'actors gateway wallet outbox up', 0).means(
    'start even if keys are missing that seal secrets of this system; new keys are made',
  ),
  POTSTREAM_EPOCH_SECONDS: row('epochSeconds', optionalCount(1), 'actors up').means(
    'length of a draw epoch in log time; empty: 86400, or 120 if up runs the demo; applies once this host owns a lane',
  ),
  POTSTREAM_EPOCH_SEQUENCES: row('epochSequences', count(1000, 2 ** 20), 'actors', 2 ** 20).means(
    'length of a draw epoch in sequence numbers of its instance; applies once this host owns a lane',
  ),
  POTSTREAM_MAXIMUM_RATE_AGE_SECONDS: row('maximumRateAgeSeconds', optionalCount(1), 'actors').means(
    'max. age of currency rates: older rates convert no amount; empty: no limit; applies once this host owns a lane',
  ),
  POTSTREAM_RATE_AGE_ALARM_SECONDS: row('rateAgeAlarmSeconds', count(60), 'actors', 259_200).means(
    'age of currency rates that raises an alarm',
  ),
  POTSTREAM_MAX_PLAYERS_PER_OPERATOR: row('maxPlayersPerOperator', players, 'actors', 10_000_000).means(
    "max. players of an operator's brands in one lane, over all instances; applies once this host owns a lane",
  ),
};

function row<const Field extends string | null, Value>(
  field: Field,
  shape: SettingShape<Value>,
  readers: string,
  standard: string | number = '',
) {
  return {
    means: (meaning: string): Row<Field, Value> => ({
      field,
      shape,
      standard: String(standard),
      readers,
      meaning,
    }),
  };
}
