import { answerOf, api } from '../../api/client.ts';
import type { Settlement } from '../../api/rows.ts';
import { Decide, reasonOf } from '../../parts/decide.tsx';
import { Money, Name, Reason, State, Time } from '../../parts/values.tsx';
import { whyNot } from '../../session/rights.ts';
import { useMe } from '../../session/session.tsx';
import { conditionOf, consequenceOf, dangerOf, doneText, titleOf, type Verb } from './words.ts';

/** What a person decides about a payment. */
export function Decision({
  payment,
  verb,
  close,
}: {
  readonly payment: Settlement;
  readonly verb: Verb;
  readonly close: () => void;
}) {
  const me = useMe();
  return (
    <Decide
      title={titleOf(verb, payment)}
      facts={<Facts payment={payment} />}
      consequence={consequenceOf(verb, payment)}
      danger={dangerOf(verb, payment)}
      condition={conditionOf(verb, payment)}
      reason="required"
      forbidden={whyNot(me, 'move_money')}
      stale={['settlements']}
      done={({ body }) => doneText(verb, payment, (body as Settlement | undefined)?.state)}
      close={close}
      send={(fields, key) => {
        const request = {
          params: { path: { id: payment.id }, header: { 'Idempotency-Key': key } },
          body: { reason: reasonOf(fields) },
        };
        return answerOf<unknown>(
          verb === 'release'
            ? api.POST('/config/settlements/{id}/release', request)
            : verb === 'retry'
              ? api.POST('/config/settlements/{id}/retry', request)
              : api.POST('/config/settlements/{id}/resolve', request),
        );
      }}
    />
  );
}

function Facts({ payment }: { readonly payment: Settlement }) {
  return (
    <dl className="facts">
      <dt>Amount</dt>
      <dd>
        <Money amount={payment.paid_amount} currency={payment.paid_currency} />
      </dd>
      <dt>Player</dt>
      <dd>
        <Name>{payment.player_id}</Name> of <Name>{payment.brand_id}</Name>
      </dd>
      <dt>State</dt>
      <dd>
        <State>{payment.state}</State> since <Time ms={payment.changed_timestamp} />
      </dd>
      <dt>The wallet’s last answer</dt>
      <dd>
        <Reason>{payment.reason}</Reason>
      </dd>
      <dt>Transaction</dt>
      <dd className="id">{payment.id}</dd>
    </dl>
  );
}
