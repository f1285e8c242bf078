import { JackpotTicker, Potstream, useJackpot } from '@potstream/client/react';
import { createRoot } from 'react-dom/client';

const service = new URLSearchParams(location.search).get('service') ?? 'https://pots.example';

function Lobby() {
  return (
    <Potstream src={service} brand="demo/main">
      <h1>Slot 1</h1>
      <JackpotTicker source="slot-1" label="Aurora" pots="grand major mini" />
      <Headline />
    </Potstream>
  );
}

function Headline() {
  const { jackpot, state, win } = useJackpot('slot-1');
  if (jackpot === null) return <p>{state}</p>;
  const largest = jackpot.pots.map(({ id, current_value }) => `${id} ${current_value}`).join(', ');
  return (
    <p>
      {jackpot.currency}: {largest}. {win && `${win.event_type} of ${win.data.win_pot_id}`}
    </p>
  );
}

const root = document.getElementById('app');
if (root !== null) createRoot(root).render(<Lobby />);
