/** Who plays in the demo. The demo role creates them, the page's session shows them. */

export const demoOperator = 'demo';

/** The service user of the demo operator; its generated password is in credentials.json. */
export const demoServiceUser = 'demo-service';

export const demoBrands = [
  { brand: 'demo:main', id: 'main', name: 'Main' },
  { brand: 'demo:vip', id: 'vip', name: 'VIP' },
  /**
   * Settles with its players itself: it has no wallet, so there are no sessions to ask about, and no players
   * of the page.
   */
  { brand: 'demo:direct', id: 'direct', name: 'Direct' },
] as const;

/** Everybody may follow its jackpots. */
export const demoPublicBrand = 'main';

export const demoSources = [
  { id: 'slot-1', name: 'Slot 1' },
  { id: 'slot-2', name: 'Slot 2' },
  { id: 'sportsbook', name: 'Sportsbook' },
  { id: 'deposit', name: 'Deposit' },
] as const;

/** Units of each currency for one euro. */
export const demoRates: Readonly<Record<string, string>> = {
  EUR: '1',
  USD: '1.08',
  GBP: '0.85',
  SEK: '11.2',
  JPY: '162.5',
  KWD: '0.332',
};

export interface DemoPlayer {
  readonly player: string;
  readonly brand: string;
  readonly country: string;
  readonly currency: string;
}

export const demoPlayers: readonly DemoPlayer[] = [
  { player: 'astrid', brand: 'demo:main', country: 'SE', currency: 'SEK' },
  { player: 'bruno', brand: 'demo:main', country: 'DE', currency: 'EUR' },
  { player: 'carla', brand: 'demo:main', country: 'ES', currency: 'EUR' },
  { player: 'dylan', brand: 'demo:main', country: 'US-NJ', currency: 'USD' },
  { player: 'edith', brand: 'demo:main', country: 'GB', currency: 'GBP' },
  { player: 'farah', brand: 'demo:vip', country: 'KW', currency: 'KWD' },
  { player: 'goro', brand: 'demo:vip', country: 'JP', currency: 'JPY' },
  { player: 'helene', brand: 'demo:vip', country: 'FR', currency: 'EUR' },
];
