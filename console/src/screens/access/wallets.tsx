import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api, bodyOf } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import type { LoadPage } from '../../api/pages.ts';
import { type Operator, operatorsQuery, type Wallet } from '../../api/rows.ts';
import { Act } from '../../parts/act.tsx';
import { Decide } from '../../parts/decide.tsx';
import { Field, textOf, Whose } from '../../parts/fields.tsx';
import { useFilters } from '../../parts/filters.tsx';
import { type Column, List } from '../../parts/list.tsx';
import { Empty, Loading, Trouble } from '../../parts/states.tsx';
import { Name, State, Time } from '../../parts/values.tsx';
import { whyNot } from '../../session/rights.ts';
import { useMe } from '../../session/session.tsx';
import { certificateIn, certificateText, checksText, isOfAnotherAddress } from './certificate.ts';
import { SelectOperator } from './select-operator.tsx';

interface BrandWallet {
  readonly operator: string;
  readonly brand: string;
  readonly name: string;
  /** null: the brand has none. */
  readonly wallet: Wallet | null;
}

/** The wallets of an operator's brands: where debits and wins go, without their secrets. */
export function Wallets() {
  const [filters, change] = useFilters();
  const [setting, setSetting] = useState<BrandWallet | null>(null);
  const [certifying, setCertifying] = useState<BrandWallet | null>(null);
  const { data, error } = useQuery(operatorsQuery);
  if (data === undefined) return error === null ? <Loading what="operators" /> : <Trouble error={error} />;
  const operator = data.find(({ id }) => id === filters.operator) ?? data[0];
  if (operator === undefined) return <Empty>There is no operator that you can see.</Empty>;
  const columns: readonly Column<BrandWallet>[] = [
    ...walletColumns,
    {
      head: 'Decide',
      cell: (row) => (
        <span className="actions">
          <Act needs="secure" begin={() => setSetting(row)}>
            {row.wallet === null ? 'Set a wallet' : 'Set anew'}
          </Act>
          {row.wallet !== null && (
            <Act needs="secure" begin={() => setCertifying(row)}>
              Record a certificate
            </Act>
          )}
        </span>
      ),
      text: () => '',
    },
  ];
  return (
    <>
      <form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault();
          change({ operator: textOf(new FormData(event.currentTarget), 'operator') });
        }}
      >
        <SelectOperator key={operator.id} chosen={operator.id} />
        <button type="submit">Show</button>
      </form>
      <List
        key={operator.id}
        what="wallets"
        queryKey={['wallets', operator.id]}
        load={walletsOf(operator)}
        columns={columns}
        keyOf={(row) => row.brand}
        empty="The operator has no brand."
      />
      {setting !== null && <SetWallet of={setting} close={() => setSetting(null)} />}
      {certifying !== null && <RecordCertificate of={certifying} close={() => setCertifying(null)} />}
    </>
  );
}

const pageLength = 25;

/** A few brands at a time: each is a question of its own. */
function walletsOf({ id: operator, brands }: Operator): LoadPage<BrandWallet> {
  return async (from) => {
    const start = Number(from ?? 0);
    const rows = await Promise.all(
      brands.slice(start, start + pageLength).map(async ({ path: brand, name }) => {
        const [, id = ''] = brand.split(':');
        const params = { path: { operator_id: operator, brand_id: id } };
        const wallet = await bodyOf(
          api.GET('/config/operators/{operator_id}/brands/{brand_id}/wallet', { params }),
        ).catch((error: unknown) => {
          if (error instanceof ApiError && error.status === 404) return null;
          throw error;
        });
        return { operator, brand, name, wallet };
      }),
    );
    const end = start + rows.length;
    const next = end < brands.length ? String(end) : null;
    return { rows, next, total: String(brands.length), incomplete: null };
  };
}

const ofWallet = (head: string, of: (wallet: Wallet) => string | null): Column<BrandWallet> => ({
  head,
  cell: ({ wallet }) => <Name>{wallet === null ? null : of(wallet)}</Name>,
  text: ({ wallet }) => (wallet === null ? '' : of(wallet)),
});

const walletColumns: readonly Column<BrandWallet>[] = [
  { head: 'Brand', cell: (row) => <Name>{`${row.name} (${row.brand})`}</Name>, text: (row) => row.brand },
  {
    head: 'Reached',
    cell: ({ wallet }) => <State>{wallet?.address_status ?? 'no wallet'}</State>,
    text: ({ wallet }) => wallet?.address_status ?? 'no wallet',
  },
  ofWallet('Address', (wallet) => wallet.base_url),
  {
    head: 'Last certificate',
    cell: ({ wallet }) => (wallet === null ? <Name>{null}</Name> : <Certificate of={wallet} />),
    text: ({ wallet }) => (wallet === null ? '' : certificateText(wallet)),
  },
  ofWallet('Provider', (wallet) => wallet.provider_id),
  ofWallet('Wins wait above', (wallet) => wallet.verification_limit),
  ofWallet('Closes rounds', (wallet) => (wallet.close_rounds ? 'yes' : 'no')),
  ofWallet('Debits in batches', (wallet) => (wallet.batch_debits ? 'yes' : 'no')),
];

/** What the checks found, who says so, and whether it is of the wallet that is called now. */
function Certificate({ of }: { readonly of: Wallet }) {
  const { certificate } = of;
  if (certificate === null) return <span className="none">none recorded</span>;
  return (
    <>
      <State>{certificate.certified ? 'certified' : 'failed'}</State>{' '}
      <Time ms={certificate.verified_timestamp} />, recorded by <Name>{certificate.recorded_by}</Name>{' '}
      <Time ms={certificate.recorded_timestamp} />
      <br />
      <Name>{checksText(certificate)}</Name>
      {isOfAnotherAddress(of) && (
        <p className="warning">
          It is of another address, <Name>{certificate.base_url}</Name>: run the checks against this one.
        </p>
      )}
    </>
  );
}

/** A file of `potstream wallet verify`, in the name of who records it. */
function RecordCertificate({ of, close }: { readonly of: BrandWallet; readonly close: () => void }) {
  const [, id = ''] = of.brand.split(':');
  return (
    <Decide
      title={`Record a certificate of the wallet of ${of.brand}`}
      facts={null}
      consequence="It is shown here with your name: you say that these checks ran, and found this. It replaces the last one. Nothing else depends on it."
      fields={
        <Field
          label="The file that “potstream wallet verify --certificate” wrote"
          name="certificate"
          type="file"
          accept="application/json,.json"
          required
        />
      }
      reason="none"
      forbidden={whyNot(useMe(), 'secure')}
      stale={['wallets']}
      close={close}
      send={async (fields) => {
        const params = { path: { operator_id: of.operator, brand_id: id } };
        const path = '/config/operators/{operator_id}/brands/{brand_id}/wallet/certificate';
        const body = await certificateIn(fields.get('certificate') as File);
        // What the file has is for the service to judge.
        return answerOf<unknown>(api.PUT(path, { params, body: body as never }));
      }}
    />
  );
}

function SetWallet({ of, close }: { readonly of: BrandWallet; readonly close: () => void }) {
  const { wallet } = of;
  const [, id = ''] = of.brand.split(':');
  return (
    <Decide
      title={`Set the wallet of ${of.brand}`}
      facts={null}
      consequence="Debits and wins of the brand’s players are asked of this address from now on, with these secrets. All settings are replaced: the secrets are stated again, because nobody can read them."
      danger={
        wallet === null
          ? 'Contributions that players pay begin to wait for this wallet.'
          : 'Payments that are open are asked of the new address, too: it has to know their transaction ids.'
      }
      fields={
        <>
          <Whose name={of.brand} />
          <Field
            label="Address"
            name="base_url"
            type="url"
            required
            maxLength={2048}
            defaultValue={wallet?.base_url}
          />
          <Field label="Bearer key" name="bearer_key" type="password" required />
          <Field
            label="Secret that signs, 16 characters or more"
            name="hmac_secret"
            type="password"
            required
            minLength={16}
          />
          <Field label="Provider" name="provider_id" required defaultValue={wallet?.provider_id} />
          <Field
            label="Wins above this wait for a person, in the currency of the brand’s rates (may be left out)"
            name="verification_limit"
            inputMode="decimal"
            defaultValue={wallet?.verification_limit ?? ''}
          />
          <label className="check">
            <input type="checkbox" name="close_rounds" defaultChecked={wallet?.close_rounds} /> It closes
            rounds that won nothing
          </label>
          <label className="check">
            <input type="checkbox" name="batch_debits" defaultChecked={wallet?.batch_debits} /> It takes
            debits in batches
          </label>
        </>
      }
      reason="none"
      forbidden={whyNot(useMe(), 'secure')}
      stale={['wallets', 'approvals']}
      close={close}
      send={(fields) => {
        const text = (name: string) => String(fields.get(name));
        const limit = textOf(fields, 'verification_limit');
        return answerOf<unknown>(
          api.PUT('/config/operators/{operator_id}/brands/{brand_id}/wallet', {
            params: { path: { operator_id: of.operator, brand_id: id } },
            body: {
              base_url: text('base_url'),
              bearer_key: text('bearer_key'),
              hmac_secret: text('hmac_secret'),
              provider_id: text('provider_id'),
              close_rounds: fields.has('close_rounds'),
              batch_debits: fields.has('batch_debits'),
              ...(limit === undefined ? {} : { verification_limit: limit }),
            },
          }),
        );
      }}
    />
  );
}
