import type { ServicePrincipal } from '../../../access/rights/principal.ts';
import { requireOperator } from '../../api/contribution/brand-scope.ts';
import type { Draft } from '../../api/contribution/contribute.ts';
import type { AnswerForm } from '../../api/contribution/reply.ts';
import { originOf } from '../../api/contribution/request.ts';
import type { Ref } from '../ref.ts';

const noSegments: readonly string[] = [];

/**
 * A usual contribution: printable ASCII, without segments, callback and bonus. Its reader takes it from the
 * bytes of a line and gives up on anything else, which the general reader reads again (docs/decisions/0309).
 */
class PlainLine {
  ref: Ref = null;
  isSource = false;
  targetId = '';
  operator = '';
  brand = '';
  player = '';
  token = '';
  country = '';
  gameround = '';
  sourceType = '';
  baseWager: number | string = 0;
  currency = '';
  idempotencyKey: string | null = null;
  metadata: string | null = null;
  eventMetadata: string | null = null;
  vertical = '';
  gameCode = '';
  gameCategory = '';
  linked = false;

  /** Before the next one: the members that a contribution may leave out. */
  clear(): void {
    this.sourceType = 'gameround';
    this.idempotencyKey = null;
    this.metadata = null;
    this.eventMetadata = null;
    this.vertical = '';
    this.gameCode = '';
    this.gameCategory = '';
    this.linked = false;
  }

  /** @throws PublicError operator_not_found */
  draft(caller: ServicePrincipal, form: AnswerForm<string>): Draft<string> {
    requireOperator(caller, this.operator);
    return {
      request: {
        target: { type: this.isSource ? 'source' : 'instance', id: this.targetId },
        brand: this.brand,
        player: this.player,
        token: this.token,
        country: this.country,
        segments: noSegments,
        gameround: this.gameround,
        baseWager: this.baseWager,
        currency: this.currency,
        idempotencyKey: this.idempotencyKey,
        linked: this.linked,
        vertical: this.vertical,
        bonus: null,
        callback: null,
        provider: '',
        origin: originOf(this.sourceType, this.gameCode, this.gameCategory),
        // Their texts are written.
        metadata: undefined,
        eventMetadata: undefined,
      },
      operator: caller.operator,
      metadata: this.metadata,
      eventMetadata: this.eventMetadata,
      form,
    };
  }
}

/** The one that was read last: its reader fills it, and its draft is made at once. */
export const plainLine = new PlainLine();
