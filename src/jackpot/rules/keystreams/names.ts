/** The names of JPD1 in code; docs/jpd1.md describes what is hashed, member by member. */
export const jpd1Name = 'JPD1';

/** The purpose byte of a keystream. */
export const purposePots = 1;
export const purposeCommunity = 2;
export const purposeRaffle = 3;

export const commitHashPrefix = 'JPD1/commit';
export const keyHashPrefix = 'JPD1/key';

/** Flags of an entry. */
export const flagHit = 1;
export const flagVoid = 2;
export const flagBlocked = 4;
export const flagUnqualified = 8;

/** Bytes of one contribution in a group's inputs: id 16, base wager 8, pseudonym 16. */
export const inputBytes = 40;
/** Bytes of a record before its entries: seq, C, t, input index, number of entries. */
export const recordBytes = 29;
/** Bytes of an entry: pot, trigger, v0, v1, num, den, u, flags. */
export const entryBytes = 43;
