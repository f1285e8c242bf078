import type { Feed } from './feed.ts';
import { serviceFeed } from './service-feed.ts';

export const feeds: readonly Feed[] = [serviceFeed];
