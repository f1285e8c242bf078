import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { api, bodyOf } from '../api/client.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Trouble } from '../parts/states.tsx';
import { Money, Name, State, Time } from '../parts/values.tsx';

/** Finds what has exactly this id: a contribution, game round, transaction, player, jackpot or request. */
export default function Search({ close }: { readonly close: () => void }) {
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const navigate = useNavigate();
  const { data, error, isFetching } = useQuery({
    queryKey: ['search', q],
    queryFn: () => bodyOf(api.GET('/config/search', { params: { query: { q } } })),
    enabled: q !== '',
  });
  const go = (to: string, params: Record<string, string>) => {
    close();
    void navigate({ to, params });
  };
  const isEmpty = data !== undefined && Object.values(data).every((found) => found.length === 0);

  return (
    <Dialog title="Search" close={close} className="command">
      <Command shouldFilter={false} label="Search">
        <Command.Input
          autoFocus
          value={typed}
          onValueChange={setTyped}
          placeholder="Id of a contribution, round, transaction, player, jackpot or request"
        />
        <Command.List>
          {error !== null && <Trouble error={error} />}
          {q === '' && <p className="quiet">The whole id, to the letter.</p>}
          {isFetching && <p className="quiet">Searching…</p>}
          {isEmpty && !isFetching && <p className="quiet">Nothing that you can see has this id.</p>}
          {data !== undefined && (
            <>
              <Group heading="Contributions">
                {data.contributions.map((each) => (
                  <Item
                    key={`${each.contribution_id} ${each.instance_id}`}
                    value={`contribution ${each.contribution_id} ${each.instance_id}`}
                    choose={() => go('/contributions/$id', { id: each.contribution_id })}
                  >
                    <Time ms={each.timestamp} /> <Name>{each.player_id}</Name>
                    <Money amount={each.contribution_amount} currency={each.currency} />
                  </Item>
                ))}
              </Group>
              <Group heading="Payments">
                {data.payments.map((each) => (
                  <Item
                    key={each.transaction_id}
                    value={`payment ${each.transaction_id}`}
                    choose={() =>
                      each.contribution_id !== null
                        ? go('/contributions/$id', { id: each.contribution_id })
                        : each.brand_id !== null && each.player_id !== null
                          ? go('/players/$brand/$player', { brand: each.brand_id, player: each.player_id })
                          : close()
                    }
                  >
                    {each.kind} <State>{each.state}</State>
                    <Money amount={each.paid_amount} currency={each.paid_currency} />
                  </Item>
                ))}
              </Group>
              <Group heading="Players">
                {data.players.map(({ brand_id: brand, player_id: player }) => (
                  <Item
                    key={`${brand} ${player}`}
                    value={`player ${brand} ${player}`}
                    choose={() => go('/players/$brand/$player', { brand, player })}
                  >
                    <Name>{player}</Name> <span className="quiet">{brand}</span>
                  </Item>
                ))}
              </Group>
              <Group heading="Changes">
                {data.changes.map((each) => (
                  <Item
                    key={`${each.id} ${each.kind}`}
                    value={`change ${each.id} ${each.kind}`}
                    choose={() => go('/audit', {})}
                  >
                    <Time ms={each.timestamp} /> <Name>{each.user}</Name> <Name>{each.operation}</Name>
                    <State>{each.outcome ?? each.kind}</State>
                  </Item>
                ))}
              </Group>
              <Group heading="Jackpots">
                {data.instances.map((each) => (
                  <Item
                    key={each.instance_id}
                    value={`jackpot ${each.instance_id}`}
                    choose={() => go('/jackpots/$id', { id: each.instance_id })}
                  >
                    <Name>{each.name}</Name> <State>{each.status}</State>
                  </Item>
                ))}
              </Group>
            </>
          )}
        </Command.List>
      </Command>
    </Dialog>
  );
}

function Group({ heading, children }: { readonly heading: string; readonly children: readonly ReactNode[] }) {
  return children.length === 0 ? null : <Command.Group heading={heading}>{children}</Command.Group>;
}

function Item({
  value,
  choose,
  children,
}: {
  readonly value: string;
  readonly choose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Command.Item value={value} onSelect={choose}>
      {children}
    </Command.Item>
  );
}
