import { operatorOf } from '../../contracts/fields/identifiers.ts';
import type { KnownInstance } from '../../directory/lane-view.ts';
import type { ReadModel } from '../../directory/read-model.ts';
import { AllowedOrigins } from '../../network/allowed-origins.ts';
import type { Clock } from '../../ports.ts';
import type { Operation } from '../api/operation/operation.ts';
import { answersPages, Cors } from '../http/cors.ts';
import { type PathInputs, pathMatcher } from '../http/fast-path/path-matcher.ts';

/** What a page may send beside always allowed headers: all that operations read but signatures. */
export const requestHeadersOfPages = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'Traceparent',
  'Tracestate',
  'X-Player-Token',
] as const;

/** Headers of answers that a page may read beside those that are always allowed. */
export const answerHeadersForPages = [
  'Allow',
  'Deprecation',
  'ETag',
  'Retry-After',
  'WWW-Authenticate',
  'X-As-Of',
  'X-Contribution-Id',
  'X-Incomplete',
  'X-Instance-Id',
  'X-Next-Cursor',
  'X-Request-Id',
  'X-Tickets-Awarded',
  'X-Timestamp',
  'X-Total-Count',
  'X-Win-Amount',
  'X-Win-Currency',
  'X-Win-Pot-Id',
] as const;

/** What pages of other origins may do with the operations, by the rules of the directory. */
export function createCors(operations: readonly Operation[], directory: ReadModel, clock: Clock): Cors {
  const origins = new AllowedOrigins(
    () => directory.entries.corsRulesInForce,
    () => clock.nowMs(),
  );
  const open = operations.filter(({ path }) => answersPages(path));
  return new Cors(origins, new NamedOperators(directory, open), {
    methods: [...new Set(['HEAD', ...open.map(({ method }) => method)])].sort(),
    requestHeaders: requestHeadersOfPages,
    answerHeaders: answerHeadersForPages,
  });
}

const ofInstance = new WeakMap<object, readonly string[]>();
/** Inputs that name an owner, in this order. */
const owners = ['brand_id', 'owner_id', 'operator_id'] as const;

/**
 * The operators that a request names in path or query: that of its brand or owner, else those of its
 * instance's owner and allowed brands. An unknown instance has none; null: nothing is named, or a bare brand.
 */
class NamedOperators {
  readonly #directory: ReadModel;
  readonly #matchers: readonly ((path: string) => PathInputs | null)[];

  constructor(directory: ReadModel, operations: readonly Operation[]) {
    this.#directory = directory;
    const paths = operations.map(({ path }) => path).filter((path) => /\{(?:brand|instance)_id\}/.test(path));
    this.#matchers = [...new Set(paths)].map(pathMatcher);
  }

  ofTarget(target: string): readonly string[] | null {
    const question = target.indexOf('?');
    const path = question < 0 ? target : target.slice(0, question);
    const inputs: Record<string, string> = {};
    for (const match of this.#matchers)
      for (const [name, value] of Object.entries(match(path) ?? {})) inputs[name] = decoded(value);
    const query = new URLSearchParams(question < 0 ? '' : target.slice(question + 1));
    return this.ofInputs({ ...Object.fromEntries(query), ...inputs });
  }

  ofInputs(inputs: PathInputs): readonly string[] | null {
    const owner = owners.map((name) => inputs[name]).find((id) => id !== undefined);
    // The operator of a bare brand is the caller's, who is not known yet.
    if (
      owner !== undefined &&
      (owner === inputs.operator_id || owner === inputs.owner_id || owner.includes(':'))
    )
      return [operatorOf(owner)];
    const { instance_id: instance } = inputs;
    if (instance === undefined) return null;
    const known = this.#directory.known(instance);
    return known === undefined ? [] : operatorsOf(known);
  }
}

/** As it came, where it is no percent-encoding: then it names nothing. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function operatorsOf({ configuration, description }: KnownInstance): readonly string[] {
  const known = ofInstance.get(configuration);
  if (known !== undefined) return known;
  const named = configuration.allowedBrands ?? [];
  const operators = [...new Set([description.owner, ...named].map(operatorOf))];
  ofInstance.set(configuration, operators);
  return operators;
}
