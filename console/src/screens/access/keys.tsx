import { answerOf, api } from '../../api/client.ts';
import type { LoadPage } from '../../api/pages.ts';
import { type Column, List } from '../../parts/list.tsx';

type Key = Readonly<Record<string, string>>;

const members = [
  ['Key', 'kid'],
  ['Algorithm', 'alg'],
  ['Kind', 'kty'],
  ['Curve', 'crv'],
  ['Use', 'use'],
] as const;

const columns: readonly Column<Key>[] = members.map(([head, name]) => ({
  head,
  cell: (row) => <span className="id">{row[name] ?? '–'}</span>,
  text: (row) => row[name],
}));

const load: LoadPage<Key> = async () => {
  const { body } = await answerOf(api.GET('/.well-known/jwks.json'));
  return { rows: body.keys, next: null, total: null, incomplete: null };
};

/** The public keys that verify the service's tokens. Those that sign requests are with their service users. */
export function Keys() {
  return (
    <>
      <p className="quiet">
        Public keys that verify the service’s tokens. The keys of draws are secret until their epoch is over;
        a contribution leads to its proof.
      </p>
      <List
        what="keys"
        queryKey={['keys']}
        load={load}
        columns={columns}
        keyOf={(row) => row.kid ?? ''}
        empty="There is none."
      />
    </>
  );
}
