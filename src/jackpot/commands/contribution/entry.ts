import type { Group } from '../../rules/draws/group.ts';
import type { Brand } from '../../state/directory/brands.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { Quote } from '../../state/money/quote.ts';

/** One contribution to one instance: the main target of a command, or one of its links. */
export interface Entry {
  instance: Instance;
  group: Group;
  brand: Brand;
  /** Place in the group's inputs. */
  inputIndex: number;
  /** The player's row when the message began, −1 where unknown. */
  row: number;
  isLink: boolean;
  links: Entry[] | null;
}

/** A settlement that was resolved to its instance before the message's first draw. */
export interface SettlementEntry {
  readonly transactionId: string;
  readonly entry: Entry;
}

/** The player has to pay through the brand's wallet before anything is applied. */
export interface DebitWanted {
  readonly kind: 'DebitWanted';
  readonly entry: Entry;
  readonly quote: Quote;
}
