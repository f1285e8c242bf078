import type { CommandOutput } from '../../src/cli/terminal/output.ts';
import { readVerifyToken } from '../../src/config/settings.ts';
import {
  DuplicateMember,
  EpochVerification,
  Followed,
  NotRevealed,
  type Report,
  type VerifyOptions,
} from '../../verifier/src/index.ts';
import { readCredential } from './credential.ts';
import { nodeHashing } from './node-hashing.ts';
import { epochsOfFile, type FoundEpoch, fetchEpoch, listEpochs } from './source.ts';
import { SourceError } from './source-error.ts';
import { reportText } from './text.ts';

export const verifyExitCodes = { verified: 0, failed: 1, usage: 2, notRevealed: 3, unreadable: 4 } as const;

export interface VerifyChoices {
  /** A base URL, or a file of saved answers; `-`: standard input. */
  readonly from: string;
  readonly instance: string | null;
  /** null: all that are revealed, from the first. */
  readonly epoch: number | null;
  readonly sequence: number | null;
  readonly commit: string | null;
  readonly head: string | null;
  readonly json: boolean;
  /** A file with the token that opens the system's epochs, where it asks for one. */
  readonly tokenFile: string | null;
  /** The path of the brand whose player's token it is. */
  readonly brand: string | null;
}

/** `potstream verify`: verifies one epoch or a row of them; returns the exit code. */
export async function verifyCommand(choices: VerifyChoices, output: CommandOutput): Promise<number> {
  try {
    return await verifyAll(choices, output);
  } catch (error) {
    if (error instanceof SourceError) {
      output.print(error.message);
      return verifyExitCodes.unreadable;
    }
    if (error instanceof DuplicateMember) {
      const failure = { check: 'document', sequence: null, message: error.message };
      const json = JSON.stringify({ verified: false, epochs: [], failure }, null, 2);
      output.write(choices.json ? `${json}\n` : `FAILED: ${error.message}\n`);
      return verifyExitCodes.failed;
    }
    if (error instanceof NotRevealed) {
      output.print(`There is nothing to verify yet. ${error.message}`);
      return verifyExitCodes.notRevealed;
    }
    throw error;
  }
}

async function verifyAll(choices: VerifyChoices, output: CommandOutput): Promise<number> {
  const reports: Report[] = [];
  const followed = new Followed();
  let nextEpoch = 0;
  let head = '';
  for await (const found of epochsOf(choices)) {
    const continues = numberOf(found) === nextEpoch;
    const report = await reportOf(found, {
      sequence: choices.sequence,
      expectedCommit: choices.commit,
      expectedHead: choices.head,
      nextHeader: found.nextHeader,
      // Who skips an epoch does not know its players, its tickets, and the head before.
      followed: continues ? followed : null,
      previousHead: continues && head !== '' ? head : null,
    });
    reports.push(report);
    if (!choices.json) output.write(reportText(report));
    if (!report.verified) break;
    if (continues) nextEpoch += 1;
    head = report.head ?? '';
  }
  const verified = reports.every((report) => report.verified);
  if (choices.json) output.write(`${JSON.stringify({ verified, epochs: reports }, null, 2)}\n`);
  else if (reports.length > 1) output.write(verified ? `VERIFIED  ${reports.length} epochs\n` : '');
  return verified ? verifyExitCodes.verified : verifyExitCodes.failed;
}

/** A page at a time: a large epoch does not fit into memory. */
async function reportOf({ fetchPage, pages }: FoundEpoch, options: VerifyOptions): Promise<Report> {
  const verification = new EpochVerification(nodeHashing, options);
  for (const page of pages) verification.take(page);
  for (let page = pages.length; verification.missing > 0 && fetchPage !== null; page += 1)
    verification.take(await fetchPage(page));
  return verification.report();
}

async function* epochsOf(choices: VerifyChoices): AsyncGenerator<FoundEpoch> {
  const { epoch, from, instance } = choices;
  if (!/^https?:\/\//.test(from)) {
    const found = await epochsOfFile(from);
    const wanted = epoch === null ? found : found.filter((each) => numberOf(each) === epoch);
    if (wanted.length === 0) throw new SourceError(`${from} does not hold epoch ${epoch}.`);
    yield* wanted;
    return;
  }
  const system = { baseUrl: new URL(from), credential: await readCredential(choices, readVerifyToken()) };
  if (epoch !== null) {
    yield await fetchEpoch(system, instance ?? '', epoch);
    return;
  }
  const listed = await listEpochs(system, instance ?? '');
  const revealed = listed.filter(({ state }) => state === 'revealed');
  if (revealed.length === 0) throw new NotRevealed('No epoch of the instance is revealed.');
  for (const each of revealed) yield await fetchEpoch(system, instance ?? '', each.epoch);
}

function numberOf({ pages: [first] }: FoundEpoch): number | null {
  const header = (first as { readonly header?: { readonly epoch?: unknown } } | null)?.header;
  return typeof header?.epoch === 'number' ? header.epoch : null;
}
