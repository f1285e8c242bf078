import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import type { Settlement } from '../../api/rows.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Trouble } from '../../parts/states.tsx';
import { Money, Name, State, Time } from '../../parts/values.tsx';
import { whyNot } from '../../session/rights.ts';
import { useMe } from '../../session/session.tsx';
import { conditionOf, consequenceOf, dangerOf, type Verb } from './words.ts';

const titles: Readonly<Record<Verb, string>> = {
  release: 'Release this win',
  retry: 'Ask the wallet again',
  resolve: 'Resolve this payment',
};

/** Says what a decision does before it is made. */
export function Decision({
  payment,
  verb,
  close,
}: {
  readonly payment: Settlement;
  readonly verb: Verb;
  readonly close: () => void;
}) {
  const client = useQueryClient();
  const forbidden = whyNot(useMe(), 'move_money');
  // One for all tries of this decision: whatever is lost on the way, it is made once.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const decide = useMutation({
    mutationFn: (reason: string) => {
      const request = {
        params: { path: { id: payment.id }, header: { 'Idempotency-Key': idempotencyKey } },
        body: { reason },
      };
      return answerOf<unknown>(
        verb === 'release'
          ? api.POST('/config/settlements/{id}/release', request)
          : verb === 'retry'
            ? api.POST('/config/settlements/{id}/retry', request)
            : api.POST('/config/settlements/{id}/resolve', request),
      );
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['settlements'] }),
  });
  const { data, error, isPending } = decide;
  const condition = conditionOf(verb, payment);
  const danger = dangerOf(verb, payment);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    decide.mutate(String(new FormData(event.currentTarget).get('reason')).trim());
  }

  return (
    <Dialog title={titles[verb]} close={close}>
      <h2>{titles[verb]}</h2>
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
          <Name>{payment.reason}</Name>
        </dd>
        <dt>Transaction</dt>
        <dd className="id">{payment.id}</dd>
      </dl>
      {data !== undefined ? (
        <>
          <p role="status">
            {data.response.status === 202
              ? 'Nothing has changed yet: a second administrator has to approve this.'
              : 'Done.'}
          </p>
          <button type="button" className="primary" onClick={close}>
            Close
          </button>
        </>
      ) : (
        <form onSubmit={submit}>
          <p>{consequenceOf(verb, payment)}</p>
          {danger !== null && (
            <p className="warning" role="alert">
              {danger}
            </p>
          )}
          {condition !== null && (
            <label className="check">
              <input type="checkbox" required /> {condition}
            </label>
          )}
          <label>
            Reason, for the audit trail
            <textarea name="reason" required maxLength={500} dir="auto" />
          </label>
          {error !== null && <Trouble error={error} />}
          {forbidden !== null && <p className="warning">{forbidden}</p>}
          <div className="actions">
            <button type="submit" className="primary" disabled={isPending || forbidden !== null}>
              {isPending ? 'Sending…' : titles[verb]}
            </button>
            <button type="button" onClick={close}>
              Cancel
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
