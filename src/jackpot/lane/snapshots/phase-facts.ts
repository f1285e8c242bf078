import type { Announcing, RoundPhase } from '../../state/instance/raffle.ts';

type StoredPhase = ReturnType<typeof storedPhase>;

/** Work left for an ended round; amounts as texts. Stored snapshots have older names. */
export function storedPhase(phase: RoundPhase) {
  if (phase.kind === 'Announcing') return storedAnnouncing(phase);
  if (phase.kind !== 'Recording') return phase;
  const { announcing, ...recording } = phase;
  return { ...recording, telling: storedAnnouncing(announcing) };
}

export function phaseFrom(stored: StoredPhase): RoundPhase {
  if (stored.kind === 'Telling') return announcingFrom(stored);
  if (stored.kind !== 'Recording') return stored;
  const { telling, ...recording } = stored;
  return { ...recording, announcing: announcingFrom(telling) };
}

function storedAnnouncing(announcing: Announcing) {
  return {
    ...announcing,
    kind: 'Telling' as const,
    seedAtoms: announcing.seedAtoms.toString(),
    seedDeficitAtoms: announcing.seedDeficitAtoms.toString(),
    prizes: announcing.prizes.map((prize) => ({ ...prize, amountAtoms: prize.amountAtoms.toString() })),
  };
}

function announcingFrom(stored: ReturnType<typeof storedAnnouncing>): Announcing {
  return {
    ...stored,
    kind: 'Announcing',
    seedAtoms: BigInt(stored.seedAtoms),
    seedDeficitAtoms: BigInt(stored.seedDeficitAtoms),
    prizes: stored.prizes.map((prize) => ({ ...prize, amountAtoms: BigInt(prize.amountAtoms) })),
  };
}
