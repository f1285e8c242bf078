import { answerOf, api } from '../api/client.ts';
import { cursorPages } from '../api/pages.ts';
import { Filters, useFilters } from '../parts/filters.tsx';
import { List } from '../parts/list.tsx';
import { winColumns } from '../parts/rows.tsx';
import { Heading } from '../parts/states.tsx';
import { winKey } from '../parts/win-key.ts';
import { dayEndOf, dayStartOf } from './reports/days.ts';

const fields = [
  { name: 'from', label: 'From', type: 'date' },
  { name: 'to', label: 'To', type: 'date' },
  { name: 'brand', label: 'Brand' },
  { name: 'player', label: 'Player' },
  { name: 'jackpot', label: 'Jackpot (id)' },
] as const;

/** The winners of every jackpot that the person sees, the newest first. */
export default function Winners() {
  const [filters] = useFilters();
  const query = {
    from: dayStartOf(filters.from),
    to: dayEndOf(filters.to),
    brand_id: filters.brand,
    player_id: filters.player,
    instance_id: filters.jackpot,
  };
  const key = JSON.stringify(query);
  return (
    <>
      <Heading title="Winners" />
      <Filters fields={fields} />
      <List
        key={key}
        what="winners"
        queryKey={['wins', key]}
        load={cursorPages((page) =>
          answerOf(api.GET('/config/wins', { params: { query: { ...page, ...query } } })),
        )}
        columns={winColumns}
        keyOf={winKey}
        empty="Nobody won within these limits."
      />
    </>
  );
}
