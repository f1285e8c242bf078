import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { follow, periodNow } from '../../console/src/api/hints.ts';

/** What a screen asks again for when the gateway says that something has changed. docs/rules/http.md "Events for screens" */

const closed = 2;

/** What of an EventSource is used, in the hands of the test. */
class Source extends EventTarget {
  readonly url: string;
  readyState = 0;
  constructor(url: string) {
    super();
    this.url = url;
    sources.push(this);
  }
  close(): void {
    this.readyState = closed;
  }
  opens(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }
  fails(isOver: boolean): void {
    this.readyState = isOver ? closed : 0;
    this.dispatchEvent(new Event('error'));
  }
  says(kind: string, data: object): void {
    this.dispatchEvent(new MessageEvent(kind, { data: JSON.stringify(data) }));
  }
}

const sources: Source[] = [];
const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
const asked: string[] = [];
let stop = (): void => {};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  page.visibilityState = 'visible';
  const connect = (url: string) => new Source(url) as never;
  stop = follow({ connect, page, refresh: (queryKey) => void asked.push(queryKey.join(' ')) });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  sources.length = 0;
  asked.length = 0;
});

const source = () => sources.at(-1)!;
const taken = () => asked.splice(0).toSorted();
/** Open, with nothing left to ask for. */
function opened(): void {
  source().opens();
  vi.advanceTimersByTime(60_000);
  taken();
}
function sees(visibilityState: string): void {
  page.visibilityState = visibilityState;
  page.dispatchEvent(new Event('visibilitychange'));
}

it('asks for everything once it follows, and then less often by itself', () => {
  expect([sources.length, source().url, periodNow(5_000)]).toEqual([1, '/config/events', 5_000]);
  source().opens();
  const all = [
    'accounts',
    'approvals',
    'failovers',
    'hosts',
    'instance',
    'instances',
    'lanes',
    'settlements',
  ];
  expect(taken()).toEqual(all);
  expect(periodNow(5_000)).toBe(60_000);
});

it.each([
  ['approval', { id: 'a' }, ['approvals']],
  ['settlement', { id: 's' }, ['settlements']],
  ['instance', { id: 'i' }, ['accounts i', 'instance i', 'instances']],
  ['instance', {}, ['accounts', 'instance', 'instances']],
  ['lane', { id: '3' }, ['failovers', 'hosts', 'lanes']],
] as const)('of %s %o asks for what shows it', (kind, data, expected) => {
  opened();
  source().says(kind, data);
  expect(taken()).toEqual(expected);
});

it('asks at once, and once more for all that comes soon after it', () => {
  opened();
  for (let times = 0; times < 5; times += 1) source().says('settlement', { id: `${times}` });
  expect(taken()).toEqual(['settlements']);
  vi.advanceTimersByTime(2_000);
  expect(taken()).toEqual(['settlements']);
  vi.advanceTimersByTime(60_000);
  expect(taken()).toEqual([]);
});

it('without a stream asks as often as before, and tries again where the browser has given up', () => {
  opened();
  source().fails(false);
  expect([periodNow(5_000), sources.length]).toEqual([5_000, 1]);
  source().opens();
  expect(periodNow(5_000)).toBe(60_000);
  source().fails(true);
  vi.advanceTimersByTime(30_000);
  expect([periodNow(5_000), sources.length]).toEqual([5_000, 2]);
});

it('has no connection where nobody sees the page, and none when it is over', () => {
  opened();
  sees('hidden');
  expect([source().readyState, periodNow(5_000)]).toEqual([closed, 5_000]);
  sees('visible');
  expect(sources.length).toBe(2);
  stop();
  sees('hidden');
  sees('visible');
  expect([sources.length, source().readyState]).toEqual([2, closed]);
});
