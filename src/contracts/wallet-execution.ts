/**
 * Whether the wallet role executes debits and credits (W2 to W5). It only authenticates players so far: a contribution
 * that waited for its debit would wait for ever, and a win would stay a liability. Until it does, contributions and wins
 * of brands with a wallet are taken as reported, as those of brands without one: the operator settles them itself. The
 * engine keeps open debits and credits already; this is the one switch in front of it (docs/decisions/0030).
 */
export const walletExecutesTransactions: boolean = false;
