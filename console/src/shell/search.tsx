import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { api, bodyOf } from '../api/client.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Trouble } from '../parts/states.tsx';
import { Money, Name, State, Time } from '../parts/values.tsx';

const maxNamed = 10;

/** Finds what has exactly this id: a contribution, game round, transaction, player, jackpot or request; a jackpot also by its name. */
export default function Search({ close }: { readonly close: () => void }) {
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const navigate = useNavigate();
  const { data, error, isFetching } = useQuery({
    queryKey: ['search', q],
    queryFn: () => bodyOf(api.GET('/config/search', { params: { query: { q } } })),
    enabled: q !== '',
  });
  const named = useQuery({
    queryKey: ['search', 'names', q],
    queryFn: () => bodyOf(api.GET('/config/instances', { params: { query: { name: q, limit: maxNamed } } })),
    enabled: q !== '',
  });
  const jackpots = [
    ...(data?.instances ?? []).map(({ instance_id: id, name, status }) => ({ id, name, status })),
    ...(named.data ?? []),
  ];
  const isSearching = isFetching || named.isFetching;
  const go = (to: string, params: Record<string, string>) => {
    close();
    void navigate({ to, params });
  };
  const isEmpty =
    data !== undefined && [...Object.values(data), jackpots].every((found) => found.length === 0);

  return (
    <Dialog title="Search" close={close} className="command">
      <Command shouldFilter={false} label="Search">
        <Command.Input
          ref={isFocusedFirst}
          value={typed}
          onValueChange={setTyped}
          placeholder="Id of a contribution, round, transaction, player or request; a jackpot’s name"
        />
        <Command.List>
          {error !== null && <Trouble error={error} />}
          {q === '' && <p className="quiet">The whole id, to the letter, or a part of a jackpot’s name.</p>}
          {isSearching && <p className="quiet">Searching…</p>}
          {isEmpty && !isSearching && <p className="quiet">Nothing that you can see has this id or name.</p>}
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
            </>
          )}
          <Group heading="Jackpots">
            {jackpots
              .filter(({ id }, place) => jackpots.findIndex((other) => other.id === id) === place)
              .map(({ id, name, status }) => (
                <Item key={id} value={`jackpot ${id}`} choose={() => go('/jackpots/$id', { id })}>
                  <Name>{name}</Name> <State>{status}</State>
                </Item>
              ))}
          </Group>
        </Command.List>
      </Command>
    </Dialog>
  );
}

/** The browser focuses it when the dialog opens; before, there is nothing to focus. */
function isFocusedFirst(input: HTMLInputElement | null): void {
  input?.setAttribute('autofocus', '');
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
