import type { z } from 'zod';
import type { Action } from '../access/rights/authorize.ts';
import type { CsvFormat } from '../contracts/bodies/body-formats.ts';

/**
 * What an operation says about itself, of which routes and documents are made. Inputs are strict objects; in
 * bodies null and absent are the same. An issue whose message is an error code is answered with that code;
 * others with invalid_request in a body, invalid_parameter in path and query.
 */
export interface OperationDescription<
  A extends Authentication = Authentication,
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends Shape = Shape,
> {
  /** Its number (`O8`, `A3`; docs/status.md "The numbers"), or a name (`templates.list`). */
  readonly id: string;
  readonly name: string;
  readonly method: Method;
  /** Inputs in braces: `/v1/jackpot/instances/{instance_id}/contributions`. */
  readonly path: string;
  readonly surface: Surface;
  readonly authentication: A;
  readonly input: {
    readonly params?: Params;
    readonly query?: Query;
    /** Where it is missing the route takes no body. */
    readonly body?: Body;
    /** Reads large plain bodies faster than the shape, with the same result; null: the shape decides. */
    readonly plainBody?: (value: unknown) => Readonly<Record<string, unknown>> | null;
    /** `text/csv` is taken as well: then the handler gets a table, and no body. */
    readonly csv?: CsvFormat;
  };
  readonly output: z.ZodType | 'empty';
  /** Status of success, where it is not 200 with a body and 204 without one. */
  readonly status?: 201 | 202 | 303;
  /**
   * Statuses of its own refusals. Those of every request with its method, caller and limits follow from these
   * (reference/refusals.ts).
   */
  readonly refusals?: readonly OwnRefusal[];
  /** Headers that it reads beside the caller's credential. */
  readonly headers?: readonly RequestHeader[];
  /** Headers that its answer may carry beside those of every answer. */
  readonly answerHeaders?: readonly AnswerHeader[];
  readonly limits?: OperationLimits;
  /** Repeating it does no harm, as of GETs: too late it is `overloaded`, never an unknown outcome. */
  readonly isRepeatable?: true;
  /**
   * Over TLS or on loopback alone, because the answer sets a cookie: for pages of our own origin, or for a
   * browser that goes there.
   */
  readonly forPages?: true | 'navigation';
  /** The answer may be 202, until a second administrator approves (docs/rules/approvals.md "Changes"). */
  readonly fourEyes?: true;
  /**
   * Whether who has a second factor shows it for this; absent: as `fourEyes`
   * (docs/rules/second-factor.md "What asks for it").
   */
  readonly secondFactor?: boolean;
  /** The body of a 202: the change has begun, and goes on by itself. */
  readonly underWay?: z.ZodType;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The state of a copy; how far the books are; what a configuration costs; what a list lacks, where it goes
 * on, how many rows it has; where the audit list stopped; a page's session, and where a browser goes next.
 */
type AnswerHeader =
  | 'ETag'
  | 'Location'
  | 'Set-Cookie'
  | 'X-As-Of'
  | 'X-Configuration-Warnings'
  | 'X-Incomplete'
  | 'X-Next-Cursor'
  | 'X-Total-Count'
  | 'X-Unread-From';

/** What only some operations answer. */
type OwnRefusal = 401 | 403 | 404 | 409 | 422 | 429;

export type RequestHeader =
  | 'Idempotency-Key'
  | 'If-Match'
  | 'If-None-Match'
  | 'Last-Event-ID'
  | 'X-Player-Token';

/** Which part of the surface it is; public GETs (`frontend`, `public`) have a rate limit. */
type Surface = 'operator' | 'frontend' | 'admin' | 'public';

export type Authentication =
  | { readonly kind: 'none' }
  /** A service JWT of the audience `operator`. */
  | { readonly kind: 'service' }
  /**
   * A service JWT, or a frontend with a player's token, which the handler has the wallet check (tokenPlayer).
   * `optional`: without one the handler says what is public.
   */
  | { readonly kind: 'service_or_player'; readonly optional?: true }
  /** Anyone, known by a credential: a JWT of a service or an administrator, a player's token. */
  | { readonly kind: 'anyone' }
  /** As `service`, or an administrator with a role for the action; the handler asks `authorize`. */
  | { readonly kind: 'service_or_administrator'; readonly action: Action }
  /** An administrator's JWT with a role for the action; the handler checks the owner with `authorize`. */
  | { readonly kind: 'administrator'; readonly action: Action };

interface OperationLimits {
  /** Default 64 KiB. */
  readonly bodyBytes?: number;
  /** Contribution routes: the fast validator, and its amounts judged after existence. */
  readonly contribution?: boolean;
  /** The requests of an operator are counted. */
  readonly perOperator?: boolean;
  /** An administrator's contribution: its amounts are judged and its answers described as a service's. */
  readonly contributionOnBehalf?: boolean;
  /** Large bodies are work for every lane and every role: fewer of them are taken. */
  readonly rateTable?: boolean;
  /** Bodies of many items: the fast validator. */
  readonly bulk?: boolean;
  /** Its body and its answer are lines without an end (gateway/stream). */
  readonly stream?: boolean;
  /** Its answer is Server-Sent Events without an end (gateway/event-stream). */
  readonly events?: boolean;
  /** Its answer is a text of any size, which its caller reads while it is made. */
  readonly download?: boolean;
  /** Lookups from memory that are asked for most: the fast validator, and no timer of their own. */
  readonly lookup?: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: any zod schema; its output is inferred where it is used.
export type Shape = z.ZodType<any>;
