import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { allRows } from '../../api/pages.ts';
import { type Instance, instancesBy } from '../../api/rows.ts';
import { Act } from '../../parts/act.tsx';
import { Decide, reasonOf } from '../../parts/decide.tsx';
import { sumOf } from '../../parts/decimals.ts';
import { Field, idPattern, textOf } from '../../parts/fields.tsx';
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
  {
    verb: 'Complete',
    from: 'Resolving',
    to: 'Completed',
    consequence:
      'The jackpot is over for good. It is refused, and says why, while something is not settled: a debit, a win, a diversion, the last round of a raffle. What is left goes to the jackpot that you name, pot by pot.',
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
      fields={verb === 'Complete' && <Taker of={instance} />}
      reason="required"
      forbidden={whyNot(useMe(), 'operate')}
      stale={['instance', 'instances', 'significant', 'approvals']}
      close={close}
      send={(fields) =>
        answerOf<unknown>(
          api.POST('/config/instances/{instance_id}/status', {
            params: { path: { instance_id: id }, header: { 'If-Match': `"${version}"` } },
            body: { status: to, reason: reasonOf(fields), to: textOf(fields, 'to') ?? null },
          }),
        )
      }
    />
  );
}

const maxOffered = 500;

/** Which jackpot takes what is left: those of the same owner are offered, and any other can be named. */
function Taker({ of: { id, owner_id, group, currency } }: { readonly of: Instance }) {
  const { data } = useQuery({
    queryKey: ['instances', 'takers', id],
    queryFn: async () => {
      const load = async (status: Status) =>
        (await allRows(instancesBy({ status, owner_id }), maxOffered)).rows;
      const open = await Promise.all([load('Active'), load('Paused'), load('Pending')]);
      return open.flat().filter((each) => each.group === group && each.currency === currency);
    },
  });
  return (
    <>
      <Field
        label="Id of the jackpot that takes what is left (empty: only house and surplus are left, and the operator gets them)"
        name="to"
        list="takers"
        pattern={idPattern}
      />
      <datalist id="takers">
        {data?.map((taker) => (
          <option key={taker.id} value={taker.id}>
            {taker.name}
          </option>
        ))}
      </datalist>
    </>
  );
}
