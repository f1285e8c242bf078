import type { Feed } from './feed.ts';
import { playerFeed } from './player-feed.ts';
import { serviceFeed } from './service-feed.ts';
import { statusFeed } from './status-feed.ts';

export const feeds: readonly Feed[] = [statusFeed, playerFeed, serviceFeed];
