import type { RoundPhase, Telling } from '../state/raffle.ts';

export type StoredPhase = ReturnType<typeof storedPhase>;

/** What a round that is over still has to do; amounts as texts. */
export function storedPhase(phase: RoundPhase) {
  if (phase.kind === 'Telling') return storedTelling(phase);
  return phase.kind === 'Recording' ? { ...phase, telling: storedTelling(phase.telling) } : phase;
}

export function phaseFrom(stored: StoredPhase): RoundPhase {
  if (stored.kind === 'Telling') return tellingFrom(stored);
  return stored.kind === 'Recording' ? { ...stored, telling: tellingFrom(stored.telling) } : stored;
}

function storedTelling(telling: Telling) {
  return {
    ...telling,
    seedAtoms: telling.seedAtoms.toString(),
    seedDeficitAtoms: telling.seedDeficitAtoms.toString(),
    prizes: telling.prizes.map((prize) => ({ ...prize, amountAtoms: prize.amountAtoms.toString() })),
  };
}

function tellingFrom(stored: ReturnType<typeof storedTelling>): Telling {
  return {
    ...stored,
    seedAtoms: BigInt(stored.seedAtoms),
    seedDeficitAtoms: BigInt(stored.seedDeficitAtoms),
    prizes: stored.prizes.map((prize) => ({ ...prize, amountAtoms: BigInt(prize.amountAtoms) })),
  };
}
