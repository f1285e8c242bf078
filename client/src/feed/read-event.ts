import type { FeedEvent } from './events.ts';
import { decimals } from './generated.ts';

/** A frame as an event, its decimals as strings; null: it is none. */
export function readEvent(text: string): FeedEvent | null {
  let event: FeedEvent | null;
  try {
    event = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof event !== 'object' || event?.msg_type !== 'Event') return null;
  const paths = event.source === 'jackpot' ? decimals[event.event_type] : undefined;
  if (paths !== undefined) {
    const exact = readExactly(text);
    for (const path of paths) copy(exact, event, path.split('.'));
  }
  return event;
}

/** All numbers as they are written, in strings: a double holds 15 digits, and amounts have more. */
export function readExactly(text: string): unknown {
  return JSON.parse(
    text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => (token[0] === '"' ? token : `"${token}"`)),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: any JSON.
function copy(from: any, to: any, [step = '', ...rest]: readonly string[]): void {
  if (typeof from !== 'object' || from === null) return;
  for (const name of step === '*' ? Object.keys(from) : [step]) {
    if (rest.length > 0) copy(from[name], to[name], rest);
    else if (typeof to[name] === 'number') to[name] = from[name];
  }
}
