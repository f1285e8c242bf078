import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../api/client.ts';
import { type Player, type Settlement, waitingOfBrand } from '../api/rows.ts';
import { type Column, isoTime, Rows } from '../parts/list.tsx';
import { contributionColumns, openPaymentColumns, paymentColumns, winColumns } from '../parts/rows.tsx';
import { Empty, Heading, Loading, Trouble } from '../parts/states.tsx';
import { JackpotLink, localTime, Money, Name, Time, useJackpotNames } from '../parts/values.tsx';
import { winKey } from '../parts/win-key.ts';
import { whereIsTheMoney } from './player/sentence.ts';
import { underWay } from './player/under-way.ts';

/** One player of one brand: what was won, where the money is, what the player takes part in. */
export default function PlayerScreen() {
  const { brand, player } = useParams({ strict: false }) as { brand: string; player: string };
  const { data, error, refetch } = useQuery({
    queryKey: ['player', brand, player],
    queryFn: async () => {
      const params = { path: { player_id: player }, query: { brand_id: brand } };
      const books = await bodyOf(api.GET('/config/players/{player_id}', { params }));
      const waiting = await waitingOfBrand(brand).catch(() => null);
      return { books, waiting, ...underWay(player, books.open_payments, waiting) };
    },
    refetchInterval: 10_000,
  });
  return (
    <>
      <Heading title={<Name>{player}</Name>}>
        <span className="quiet">
          of <Name>{brand}</Name>
        </span>
      </Heading>
      {data === undefined ? (
        error === null ? (
          <Loading what="the player" />
        ) : (
          <Trouble error={error} again={() => void refetch()} />
        )
      ) : (
        <Found {...data} />
      )}
    </>
  );
}

interface Known extends ReturnType<typeof underWay<Player['open_payments'][number], Settlement>> {
  readonly books: Player;
  readonly waiting: Awaited<ReturnType<typeof waitingOfBrand>> | null;
}

function Found(known: Known) {
  const { books: player, open } = known;
  const parts = [open, player.contributions, player.payments, player.wins, player.opt_ins];
  if (parts.every(({ length }) => length === 0))
    return (
      <Empty>The books know nothing of this player. Is the brand the right one, and the id whole?</Empty>
    );
  return (
    <>
      <Where {...known} />
      <Part
        title="Money under way"
        rows={open}
        columns={openPaymentColumns}
        keyOf={(row) => row.transaction_id}
      />
      <Part title="Wins" rows={player.wins} columns={winColumns} keyOf={winKey} />
      <Part
        title="Payments"
        rows={player.payments}
        columns={paymentColumns}
        keyOf={(row) => row.transaction_id}
      />
      <Part
        title="Totals by jackpot"
        rows={player.totals}
        columns={totalColumns}
        keyOf={(row) => row.instance_id}
      />
      <Part
        title="Contributions"
        rows={player.contributions}
        columns={contributionColumns}
        keyOf={(row) => `${row.contribution_id} ${row.instance_id}`}
      />
      <Part title="Opt-ins" rows={player.opt_ins} columns={optInColumns} keyOf={(row) => row.instance_id} />
      <Part
        title="Tickets"
        rows={player.tickets}
        columns={ticketColumns}
        keyOf={(row) => `${row.instance_id} ${row.first_ticket} ${row.round_start}`}
      />
    </>
  );
}

/** The answer to the player's question, to copy. */
function Where({ books, waiting, open, settled }: Known) {
  const [isCopied, setIsCopied] = useState(false);
  const names = useJackpotNames();
  const { payments, wins } = books;
  const jackpotText = (id: string) => names.get(id) ?? id;
  const sentence = whereIsTheMoney({ open, settled, payments, wins }, { timeText: localTime, jackpotText });
  return (
    <section className="card" aria-label="Where is my money?">
      <h2>Where is my money?</h2>
      <p>
        <bdi>{sentence}</bdi>
      </p>
      {waiting?.isWhole !== true && (
        <p className="warning">
          {waiting === null
            ? 'What waits now was not answered: this is what the books know, which follow a moment behind.'
            : 'The list of what waits is not whole: a newer payment may be missing here.'}
        </p>
      )}
      <button
        type="button"
        onClick={async () => {
          await navigator.clipboard.writeText(sentence);
          setIsCopied(true);
        }}
      >
        Copy
      </button>
      <span role="status" className="quiet">
        {isCopied ? ' Copied.' : ''}
      </span>
    </section>
  );
}

function Part<Row>(props: {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
}) {
  const { title, rows, columns, keyOf } = props;
  return (
    <section>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <Empty>None.</Empty>
      ) : (
        <Rows what={title.toLowerCase()} rows={rows} columns={columns} keyOf={keyOf} />
      )}
    </section>
  );
}

const totalColumns: readonly Column<Player['totals'][number]>[] = [
  { head: 'Jackpot', cell: (row) => <JackpotLink id={row.instance_id} />, text: (row) => row.instance_id },
  {
    head: 'Contributions',
    isNumber: true,
    cell: (row) => row.contributions.toLocaleString(),
    text: (row) => row.contributions,
  },
  {
    head: 'Contributed',
    isNumber: true,
    cell: (row) => <Money amount={row.contributed} currency={row.jackpot_currency} />,
    text: (row) => row.contributed,
  },
  { head: 'Wins', isNumber: true, cell: (row) => row.wins.toLocaleString(), text: (row) => row.wins },
  {
    head: 'Won',
    isNumber: true,
    cell: (row) => <Money amount={row.won} currency={row.jackpot_currency} />,
    text: (row) => row.won,
  },
  { head: 'Currency', cell: (row) => row.jackpot_currency, text: (row) => row.jackpot_currency },
];

const optInColumns: readonly Column<Player['opt_ins'][number]>[] = [
  { head: 'Jackpot', cell: (row) => <JackpotLink id={row.instance_id} />, text: (row) => row.instance_id },
  { head: 'Takes part', cell: (row) => (row.opted_in ? 'yes' : 'no'), text: (row) => String(row.opted_in) },
  {
    head: 'Since',
    cell: (row) => <Time ms={row.updated_timestamp} />,
    text: (row) => isoTime(row.updated_timestamp),
  },
];

const ticketColumns: readonly Column<Player['tickets'][number]>[] = [
  { head: 'Time', cell: (row) => <Time ms={row.timestamp} />, text: (row) => isoTime(row.timestamp) },
  { head: 'Jackpot', cell: (row) => <JackpotLink id={row.instance_id} />, text: (row) => row.instance_id },
  {
    head: 'First ticket',
    isNumber: true,
    cell: (row) => row.first_ticket.toLocaleString(),
    text: (row) => row.first_ticket,
  },
  { head: 'Tickets', isNumber: true, cell: (row) => row.count.toLocaleString(), text: (row) => row.count },
  { head: 'Round ends', cell: (row) => <Time ms={row.round_end} />, text: (row) => isoTime(row.round_end) },
];
