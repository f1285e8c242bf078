import type { ServicePrincipal } from '../../access/rights/principal.ts';
import type { Contribute } from '../../messages/player-commands.ts';
import { scopedBrand } from '../api/contribution/brand-scope.ts';
import { type Draft, prepareContribution } from '../api/contribution/contribute.ts';
import type { OperatorQuotas } from '../api/contribution/operator-quotas.ts';
import type { AnswerForm } from '../api/contribution/reply.ts';
import type { GatewayContext } from '../api/operation/operation.ts';
import type { LaneAnswer, LaneCaller } from '../lanes/lane-client.ts';
import type { NdjsonReader } from './ndjson-reader.ts';
import type { Ref } from './ref.ts';

/** Beside its text, which is in its command and in the message of its lane. */
const ownBytes = 256;

/** Lines hand themselves over when their lane has answered. */
export interface LineOwner {
  answered(line: StreamLine): void;
}

/** A line under way: everything that its result needs, so that no closure has to remember it. */
export class StreamLine implements LaneCaller {
  readonly number: number;
  readonly beganMs: number;
  readonly #owner: LineOwner;
  ref: Ref = null;
  /** About what it holds. */
  readonly bytes: number;
  /** About how large its result may be. */
  resultBytes = 0;
  /** Reserved of the operator's quota, for a win. */
  reservedBytes = 0;
  draft: Draft<string> | null = null;
  command: Contribute | null = null;
  answer: LaneAnswer | null = null;
  /** What the caller gets, in JSON. */
  result = '';
  error: unknown = null;

  constructor(owner: LineOwner, number: number, bytes: number, beganMs: number) {
    this.#owner = owner;
    this.number = number;
    this.bytes = ownBytes + 2 * bytes;
    this.beganMs = beganMs;
  }

  resolve(answer: LaneAnswer): void {
    this.answer = answer;
    this.#owner.answered(this);
  }

  reject(error: Error): void {
    this.error = error;
    this.#owner.answered(this);
  }
}

const minResultBytes = 512;
/** The main instance and those linked to it. */
const linkedResults = 21;

/**
 * Gives the line at hand to its lane, with the checks of O16 in their order. Returns null where the lane
 * answers, else a promise of the result. @throws PublicError
 */
export function submitLine(
  line: StreamLine,
  reader: NdjsonReader,
  form: AnswerForm<string>,
  caller: ServicePrincipal,
  { context, quotas }: { readonly context: GatewayContext; readonly quotas: OperatorQuotas },
): Promise<string> | null {
  line.reservedBytes = quotas.take(caller.operator, reader.bytes);
  const draft = reader.draft(line, caller, form);
  line.draft = draft;
  const { brand: named, linked } = draft.request;
  const brand = scopedBrand(context.directory, caller, named);
  const prepared = prepareContribution(draft, brand, context);
  // What is refused has a short result.
  line.resultBytes = (minResultBytes + (draft.metadata?.length ?? 0)) * (linked ? linkedResults : 1);
  if (prepared instanceof Promise) return prepared;
  line.command = prepared.command;
  context.lanes.submit(prepared.lane, prepared.command, line);
  return null;
}
