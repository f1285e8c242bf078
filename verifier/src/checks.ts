/** The checks of an epoch, in this order, in words for a person who has never heard of it. */
export const checks = [
  {
    id: 'document',
    title: 'The file',
    explains: 'Every member that the format names is there, well formed, and nothing else is.',
  },
  {
    id: 'commit',
    title: 'The commitment',
    explains:
      'Before the first draw the house published a fingerprint of its secret seed. The seed that it has revealed since has that fingerprint: it was not chosen afterwards.',
  },
  {
    id: 'config',
    title: 'The rules',
    explains:
      'The fingerprint of the rules in the file is the one that the epoch began with, and it enters the key.',
  },
  {
    id: 'opening',
    title: 'The opening balances',
    explains: 'All accounts at the beginning of the epoch add up to zero, and no pot starts below zero.',
  },
  {
    id: 'order',
    title: 'The order',
    explains:
      'Contributions stand one behind the other, no number is left out, and time never runs backwards.',
  },
  {
    id: 'money',
    title: 'The money',
    explains:
      'Each contribution is split again by the rules: what reaches each pot, its reserve and the house is what the file says.',
  },
  {
    id: 'draws',
    title: 'The draws',
    explains:
      'Every random number is drawn again from seed and contributions, and compared. A number below its limit wins, everything else does not.',
  },
  {
    id: 'wins',
    title: 'The wins',
    explains:
      'The right pot paid the right amount to the player of that contribution, and was refilled by the rules.',
  },
  {
    id: 'heads',
    title: 'The chain',
    explains:
      'Each message is tied to all before it by a fingerprint. Screens and operators saw these fingerprints live; none has changed.',
  },
  {
    id: 'closing',
    title: 'The closing balances',
    explains: 'Adding everything up gives the balances that the next epoch begins with.',
  },
  {
    id: 'neighbours',
    title: 'The neighbours',
    explains: 'The epoch continues where the one before it ended, and the one after it continues from here.',
  },
] as const;

export type CheckId = (typeof checks)[number]['id'];
