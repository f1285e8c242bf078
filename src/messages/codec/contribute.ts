import type { Contribute, ContributionOrigin, ContributionTarget } from '../player-commands.ts';

/** The layout of the hot command, written by hand. Members that most contributions lack come last. */
export const contributionTag = 1;
export const linkedForm = 1;
export const wallet = 2;
export const source = 4;
export const requiredMembers = 12;

/** A contribution as plain values, without empty members at the end. */
export function packContribute(command: Contribute): unknown[] {
  const packed: unknown[] = [
    command.contributionId,
    (command.linked ? linkedForm : 0) |
      (command.wallet ? wallet : 0) |
      (command.target.type === 'source' ? source : 0),
    command.target.id,
    command.operator,
    command.brand,
    command.player,
    command.country,
    command.segments,
    command.baseWagerAtoms,
    command.currency,
    command.gameround,
    command.idempotencyKey,
    command.vertical === '' ? null : command.vertical,
    command.maxBetAtoms,
    command.bonus === null ? null : [command.bonus.id, command.bonus.amountAtoms, command.bonus.currency],
    command.callback === null ? null : [command.callback.webHook, command.callback.winResultOnly],
    command.metadata,
    command.eventMetadata,
    command.target.type === 'source' ? (command.target.group ?? null) : null,
    command.provider === '' ? null : command.provider,
    command.origin === null ? null : packOrigin(command.origin),
  ];
  let length = packed.length;
  while (length > requiredMembers && packed[length - 1] === null) length -= 1;
  packed.length = length;
  return packed;
}

/** Ids and keys are views of the message: copy what outlives it. @throws TypeError for other values */
export function unpackContribute(raw: readonly unknown[]): Contribute {
  const flags = raw[1];
  if (raw.length < requiredMembers || typeof flags !== 'number' || typeof raw[8] !== 'bigint') {
    throw new TypeError('not a contribution');
  }
  const id = raw[2] as string;
  const target: ContributionTarget =
    (flags & source) === 0
      ? { type: 'instance', id }
      : sourceTarget(id, raw[18] as string | null | undefined);
  const optional = raw.length > requiredMembers;
  return {
    kind: 'Contribute',
    contributionId: raw[0] as Uint8Array,
    target,
    operator: raw[3] as string,
    brand: raw[4] as string,
    player: raw[5] as string,
    country: raw[6] as string,
    segments: raw[7] as readonly string[],
    baseWagerAtoms: raw[8],
    currency: raw[9] as string,
    gameround: raw[10] as string,
    idempotencyKey: raw[11] as Uint8Array | null,
    linked: (flags & linkedForm) !== 0,
    wallet: (flags & wallet) !== 0,
    vertical: optional ? ((raw[12] as string | null) ?? '') : '',
    maxBetAtoms: optional ? ((raw[13] as bigint | null | undefined) ?? null) : null,
    bonus: optional ? unpackBonus(raw[14]) : null,
    callback: optional ? unpackCallback(raw[15]) : null,
    metadata: optional ? ((raw[16] as string | null | undefined) ?? null) : null,
    eventMetadata: optional ? ((raw[17] as string | null | undefined) ?? null) : null,
    provider: optional ? ((raw[19] as string | null | undefined) ?? '') : '',
    origin: optional ? unpackOrigin(raw[20]) : null,
  };
}

function sourceTarget(id: string, group: string | null | undefined): ContributionTarget {
  return group === null || group === undefined ? { type: 'source', id } : { type: 'source', id, group };
}

function unpackBonus(raw: unknown): Contribute['bonus'] {
  if (!Array.isArray(raw)) return null;
  return { id: raw[0], amountAtoms: raw[1], currency: raw[2] };
}

function unpackCallback(raw: unknown): Contribute['callback'] {
  if (!Array.isArray(raw)) return null;
  return { webHook: raw[0], winResultOnly: raw[1] };
}

function packOrigin({ gameCode, gameCategory, sourceType }: ContributionOrigin): readonly string[] {
  return [gameCode, gameCategory, sourceType];
}

function unpackOrigin(raw: unknown): Contribute['origin'] {
  if (!Array.isArray(raw)) return null;
  return { gameCode: raw[0], gameCategory: raw[1], sourceType: raw[2] };
}
