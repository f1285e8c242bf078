import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Empty, Heading, Loading, Trouble } from './parts/states.tsx';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

type Screen = Parameters<typeof lazyRouteComponent>[0];

/** A screen, loaded when somebody goes there. */
function screen(path: string, load: Screen) {
  return createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load) });
}

/** The addresses below /console/; each file of `screens` is one screen. */
const screens = [
  screen('/', () => import('./screens/home.tsx')),
  screen('/jackpots', () => import('./screens/jackpots.tsx')),
  screen('/jackpots/$id', () => import('./screens/jackpot.tsx')),
  screen('/templates', () => import('./screens/templates.tsx')),
  screen('/templates/new', () => import('./screens/templates/new.tsx')),
  screen('/templates/compare', () => import('./screens/templates/compare.tsx')),
  screen('/templates/$owner/$id', () => import('./screens/template.tsx')),
  screen('/contributions/$id', () => import('./screens/contribution.tsx')),
  screen('/players', () => import('./screens/players.tsx')),
  screen('/players/$brand/$player', () => import('./screens/player.tsx')),
  screen('/money', () => import('./screens/money.tsx')),
  screen('/winners', () => import('./screens/winners.tsx')),
  screen('/approvals', () => import('./screens/approvals.tsx')),
  screen('/deliveries', () => import('./screens/deliveries.tsx')),
  screen('/webhooks', () => import('./screens/webhooks.tsx')),
  screen('/reports', () => import('./screens/reports.tsx')),
  screen('/audit', () => import('./screens/audit.tsx')),
  screen('/system', () => import('./screens/system.tsx')),
  screen('/access', () => import('./screens/access.tsx')),
  screen('/account', () => import('./screens/account.tsx')),
];

export const router = createRouter({
  routeTree: root.addChildren(screens),
  basepath: '/console',
  defaultPendingComponent: () => <Loading what="the screen" />,
  defaultErrorComponent: ({ error, reset }) => <Trouble error={error} again={reset} />,
  // An address is made of plain text: what somebody types there stays what it is.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text === '' ? '' : `?${text}`;
  },
});

function NotFound() {
  return (
    <>
      <Heading title="No such screen" />
      <Empty>The address names nothing here. The search (Ctrl-K) finds what has an id.</Empty>
    </>
  );
}
