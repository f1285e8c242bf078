import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useEvents } from '../api/events.ts';
import { Name } from '../parts/values.tsx';
import { type Action, may } from '../session/rights.ts';
import { logOut, useMe } from '../session/session.tsx';
import { BooksBehind } from './books-behind.tsx';

const Search = lazy(() => import('./search.tsx'));

/** Screens that are whole; one that a person may not read is not shown. */
const places: readonly { readonly to: string; readonly name: string; readonly needs?: Action }[] = [
  { to: '/', name: 'Home' },
  { to: '/jackpots', name: 'Jackpots' },
  { to: '/templates', name: 'Templates' },
  { to: '/money', name: 'Money' },
  { to: '/approvals', name: 'Approvals' },
  { to: '/winners', name: 'Winners' },
  { to: '/players', name: 'Players' },
  { to: '/deliveries', name: 'Deliveries' },
  { to: '/webhooks', name: 'Webhooks' },
  { to: '/reports', name: 'Reports' },
  { to: '/audit', name: 'Audit', needs: 'audit' },
  { to: '/system', name: 'System', needs: 'run' },
  { to: '/access', name: 'Access' },
  { to: '/account', name: 'Your account' },
];

/** What is around each screen. */
export function Shell() {
  const me = useMe();
  const client = useQueryClient();
  useEvents();
  const [isSearching, setIsSearching] = useState(false);
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setIsSearching(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu is of the screen that it was opened on.
  useEffect(() => setIsMenuOpen(false), [path]);

  return (
    <div className="shell">
      <a href="#screen" className="skip">
        Skip to the screen
      </a>
      <header className="bar">
        <button
          type="button"
          className="menu"
          aria-expanded={isMenuOpen}
          aria-controls="places"
          onClick={() => setIsMenuOpen(!isMenuOpen)}
        >
          Menu
        </button>
        <Link to="/" className="brand">
          Potstream
        </Link>
        <button type="button" className="search" onClick={() => setIsSearching(true)}>
          Search <kbd>Ctrl K</kbd>
        </button>
        <Link to="/account" className="who" title={`${me.roles.join(', ')} of ${me.owners.join(', ')}`}>
          <Name>{me.username}</Name>
        </Link>
        <button type="button" onClick={() => void logOut(client)}>
          Log out
        </button>
      </header>
      <nav id="places" aria-label="Screens" className={isMenuOpen ? 'places is-open' : 'places'}>
        {places
          .filter(({ needs }) => needs === undefined || may(me, needs))
          .map(({ to, name }) => (
            <Link key={to} to={to} activeOptions={{ exact: to === '/' }}>
              {name}
            </Link>
          ))}
      </nav>
      <main id="screen" tabIndex={-1}>
        <BooksBehind />
        <Outlet />
        <footer className="quiet">
          Times are of your zone, {Intl.DateTimeFormat().resolvedOptions().timeZone}, except where a screen
          says UTC.
        </footer>
      </main>
      {isSearching && (
        <Suspense>
          <Search close={() => setIsSearching(false)} />
        </Suspense>
      )}
    </div>
  );
}
