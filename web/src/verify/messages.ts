import type { Ending, Report } from '../../../verifier/src/index.ts';
import type { Credential } from './public-data.ts';

/** What the page asks of its worker. */
export type Request =
  /**
   * `text`: an epoch's JSON, as it was answered or saved; `further`: of which epoch the system is asked for further
   * pages, where there are any; null: the text must be all of it.
   */
  | {
      readonly kind: 'verify';
      readonly text: string;
      readonly further: {
        readonly instance: string;
        readonly epoch: number;
        readonly credential: Credential;
      } | null;
      readonly sequence: number | null;
      readonly nextHeader: unknown;
      readonly previousEnding: Ending | null;
    }
  /** The same epoch, with another draw shown. */
  | { readonly kind: 'show'; readonly sequence: number };

export type Answer =
  | { readonly kind: 'progress'; readonly done: number }
  | { readonly kind: 'report'; readonly report: Report }
  | { readonly kind: 'not-revealed'; readonly message: string }
  | { readonly kind: 'unreadable'; readonly message: string };
