import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { cursorPages } from '../../api/pages.ts';
import type { WebhookOrigin } from '../../api/rows.ts';
import { Act } from '../../parts/act.tsx';
import { Decide } from '../../parts/decide.tsx';
import { Field } from '../../parts/fields.tsx';
import { type Column, List } from '../../parts/list.tsx';
import { Name } from '../../parts/values.tsx';
import { whyNot } from '../../session/rights.ts';
import { useMe } from '../../session/session.tsx';
import { SelectOperator } from './select-operator.tsx';

const stale = ['webhook-origins', 'approvals'];

/** Where callbacks, events and diverted money of an operator may go, and nowhere else. */
export function Origins() {
  const forbidden = whyNot(useMe(), 'secure');
  const [isAdding, setIsAdding] = useState(false);
  const [removing, setRemoving] = useState<WebhookOrigin | null>(null);
  const columns: readonly Column<WebhookOrigin>[] = [
    { head: 'Operator', cell: (row) => <Name>{row.operator_id}</Name>, text: (row) => row.operator_id },
    { head: 'Origin', cell: (row) => <Name>{row.origin}</Name>, text: (row) => row.origin },
    {
      head: 'Decide',
      cell: (row) => (
        <Act needs="secure" begin={() => setRemoving(row)}>
          Remove
        </Act>
      ),
      text: () => '',
    },
  ];
  return (
    <>
      <p>
        <Act needs="secure" begin={() => setIsAdding(true)}>
          Register an origin
        </Act>
      </p>
      <List
        what="webhook origins"
        queryKey={['webhook-origins']}
        load={cursorPages((page) =>
          answerOf(api.GET('/config/webhook-origins', { params: { query: page } })),
        )}
        columns={columns}
        keyOf={(row) => `${row.operator_id} ${row.origin}`}
        empty="No origin is registered: nothing is sent to operators’ servers."
      />
      {isAdding && (
        <Decide
          title="Register an origin"
          facts={null}
          consequence="Callbacks, events and diverted money of the operator may go to addresses of this origin. Nothing is sent there yet."
          fields={
            <>
              <SelectOperator />
              <Field
                label="Origin, such as https://events.example.com"
                name="origin"
                type="url"
                required
                maxLength={2048}
              />
            </>
          }
          reason="none"
          forbidden={forbidden}
          stale={stale}
          close={() => setIsAdding(false)}
          send={(fields) =>
            answerOf<unknown>(
              api.POST('/config/webhook-origins', {
                body: { operator_id: String(fields.get('operator')), origin: String(fields.get('origin')) },
              }),
            )
          }
        />
      )}
      {removing !== null && (
        <Decide
          title="Remove this origin"
          facts={
            <p>
              <Name>{removing.origin}</Name> of <Name>{removing.operator_id}</Name>
            </p>
          }
          consequence="Nothing is sent there any more. What is under way waits among the deliveries for a person."
          reason="none"
          forbidden={forbidden}
          stale={stale}
          close={() => setRemoving(null)}
          send={() => answerOf(api.DELETE('/config/webhook-origins', { body: removing }))}
        />
      )}
    </>
  );
}
