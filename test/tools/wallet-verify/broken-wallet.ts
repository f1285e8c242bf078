import type { Behind, MutantAnswer, MutantRequest, Mutation } from './mutant.ts';

export interface BrokenWallet {
  readonly name: string;
  /** Made for each run: a mutation may remember what it saw. */
  readonly mutation: () => Mutation;
  /** The checks that must fail, and no others. */
  readonly fails: readonly string[];
  /** Others may fail, too. */
  readonly failsMore?: true;
}

type Change = (
  request: MutantRequest,
  answer: MutantAnswer,
  behind: Behind,
) => MutantAnswer | Promise<MutantAnswer>;

/** The request is passed, and the answer changed. */
export const answers = (change: Change) => (): Mutation => async (request, behind) =>
  change(request, await behind.pass(request), behind);

export const isGood = ({ status }: MutantAnswer): boolean => status === 200;
export const withBody = (answer: MutantAnswer, changes: object): MutantAnswer => ({
  ...answer,
  text: JSON.stringify({ ...JSON.parse(answer.text), ...changes }),
});
export const refusal = (status: number, code: string): MutantAnswer => ({
  status,
  text: JSON.stringify({ status_code: status, code, message: 'No.' }),
});
