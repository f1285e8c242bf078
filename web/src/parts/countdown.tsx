import { useEffect, useState } from 'preact/hooks';
import type { SessionJackpot } from '../session/shapes.ts';
import { deadlineOf, timeLeft } from './deadline.ts';
import { timeOf } from './words.ts';

/** How long until the jackpot must drop, is drawn or ends. It is no live region: nobody wants to hear every second. */
export function Countdown({ jackpot }: { jackpot: SessionJackpot }) {
  const [nowMs, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const deadline = deadlineOf(jackpot, nowMs);
  if (deadline === null) return null;
  return (
    <p class="chip countdown" data-testid="countdown" title={`At ${timeOf(deadline.atMs)}`}>
      {deadline.words} in <strong>{timeLeft(deadline.atMs - nowMs)}</strong>
    </p>
  );
}
