import { playerFeed, serviceFeed } from './event-feeds.ts';
import type { Feed } from './feed.ts';
import { publicFeed } from './public-feed.ts';
import { statusFeed } from './status-feed.ts';

export const feeds: readonly Feed[] = [statusFeed, playerFeed, serviceFeed, publicFeed];
