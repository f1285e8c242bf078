import type { Session, SessionPlayer } from '../session/shapes.ts';
import { visitor } from '../state/use-page.ts';

interface Properties {
  readonly session: Session;
  readonly player: SessionPlayer | null;
  readonly onChoose: (playerId: string) => void;
}

/** Whose screen this is: values, jackpots and winners are those that this player of this brand sees. */
export function PlayerChoice({ session, player, onChoose }: Properties) {
  return (
    <label class="player-choice">
      <span>Playing as</span>
      <select
        value={player?.player_id ?? visitor}
        data-testid="player"
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {session.brands.map((brand) => (
          <optgroup key={brand.brand_id} label={`Brand ${brand.name}`}>
            {session.players
              .filter((one) => one.brand_id === brand.brand_id)
              .map((one) => (
                <option key={one.player_id} value={one.player_id}>
                  {one.player_id}, {one.currency}
                </option>
              ))}
          </optgroup>
        ))}
        <option value={visitor}>a visitor, not logged in</option>
      </select>
    </label>
  );
}
