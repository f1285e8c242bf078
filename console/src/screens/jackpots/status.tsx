import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import type { Instance } from '../../api/rows.ts';
import { Act } from '../../parts/act.tsx';
import { Decide, reasonOf } from '../../parts/decide.tsx';
import { sumOf } from '../../parts/decimals.ts';
import { Money, State } from '../../parts/values.tsx';
import { whyNot } from '../../session/rights.ts';
import { useMe } from '../../session/session.tsx';

type Status = Instance['status'];

interface Move {
  readonly verb: string;
  readonly from: Status;
  readonly to: Status;
  /** What will happen, before it does. */
  readonly consequence: string;
}

/** What a person can do about a status (docs/rules/statuses.md "Transitions"). */
const moves: readonly Move[] = [
  {
    verb: 'Activate',
    from: 'Pending',
    to: 'Active',
    consequence:
      'The operator pays the seeds into the pots, and contributions are taken and drawn from now on. Type, currency and pots can never change again.',
  },
  {
    verb: 'Cancel',
    from: 'Pending',
    to: 'Cancelled',
    consequence: 'The jackpot is over for good. It is refused if somebody has paid in already.',
  },
  {
    verb: 'Pause',
    from: 'Active',
    to: 'Paused',
    consequence:
      'Contributions are refused from now on. The pots keep what they have; one person can resume it.',
  },
  {
    verb: 'Resume',
    from: 'Paused',
    to: 'Active',
    consequence: 'Contributions are taken and drawn again.',
  },
];

/** Buttons for the moves from the present status; what is decided is of the version that the person has seen. */
export function StatusMoves({ instance }: { readonly instance: Instance }) {
  const [moving, setMoving] = useState<{ readonly move: Move; readonly instance: Instance } | null>(null);
  return (
    <>
      {moves
        .filter(({ from }) => from === instance.status)
        .map((move) => (
          <Act key={move.verb} needs="operate" begin={() => setMoving({ move, instance })}>
            {move.verb}
          </Act>
        ))}
      {moving !== null && <Decision {...moving} close={() => setMoving(null)} />}
    </>
  );
}

function Decision({
  move: { verb, to, consequence },
  instance,
  close,
}: {
  readonly move: Move;
  readonly instance: Instance;
  readonly close: () => void;
}) {
  const { id, version, currency, pots } = instance;
  return (
    <Decide
      title={`${verb} this jackpot`}
      facts={
        <dl className="facts">
          <dt>Status</dt>
          <dd>
            <State>{instance.status}</State> to <State>{to}</State>, version {version}
          </dd>
          {verb === 'Activate' && (
            <>
              <dt>Seeds, from the operator</dt>
              <dd>
                <Money
                  amount={sumOf(pots.map(({ seed_strategy }) => seed_strategy.initial_seed_value))}
                  currency={currency}
                />
              </dd>
            </>
          )}
        </dl>
      }
      consequence={consequence}
      reason="required"
      forbidden={whyNot(useMe(), 'operate')}
      stale={['instance', 'instances', 'significant', 'approvals']}
      close={close}
      send={(fields) =>
        answerOf<unknown>(
          api.POST('/config/instances/{instance_id}/status', {
            params: { path: { instance_id: id }, header: { 'If-Match': `"${version}"` } },
            body: { status: to, reason: reasonOf(fields) },
          }),
        )
      }
    />
  );
}
