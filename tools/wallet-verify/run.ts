import { readFileSync, writeFileSync } from 'node:fs';
import { packageVersion } from '../../src/runtime/package-root.ts';
import { junitText } from './junit.ts';
import { readTarget, readTargetFile, type Target, TargetError, type TargetFields } from './kit/target.ts';
import { PreflightFailed } from './preflight.ts';
import { resultText, summaryText } from './text.ts';
import { type ConformanceReport, verifyWallet } from './verify-wallet.ts';

export const walletVerifyExitCodes = { certified: 0, notCertified: 1, usage: 2 } as const;

export interface VerifyWalletChoices {
  /** What flags say; these outrank the files and the environment. */
  readonly flags: TargetFields;
  /** JSON files with members of the same names; earlier ones outrank later ones. */
  readonly files: readonly string[];
  readonly environment: TargetFields;
  readonly json: boolean;
  readonly junit: string | null;
  readonly certificate: string | null;
}

export interface VerifyWalletOutput {
  readonly write: (text: string) => void;
  readonly print: (line: string) => void;
}

/** `potstream wallet verify`; returns the exit code. */
export async function verifyWalletCommand(
  choices: VerifyWalletChoices,
  { write, print }: VerifyWalletOutput,
): Promise<number> {
  const { flags, files, environment, json, junit, certificate } = choices;
  try {
    const target = readTarget(flags, ...files.map(readFields), environment);
    if (!json) write(`${heading(target)}\n\n`);
    const report = await verifyWallet(target, (result) => (json ? undefined : write(resultText(result))));
    if (junit !== null) writeFileSync(junit, junitText(report));
    if (certificate !== null)
      writeFileSync(certificate, `${JSON.stringify(certificateOf(target, report), null, 2)}\n`);
    write(json ? `${JSON.stringify(report, null, 2)}\n` : summaryText(report));
    return exitCodeOf(report);
  } catch (error) {
    if (!(error instanceof TargetError || error instanceof PreflightFailed)) throw error;
    print(error.message);
    return walletVerifyExitCodes.usage;
  }
}

/** What `PUT …/wallet/certificate` takes: no token of a player, as the report has them. */
function certificateOf({ operator, brand, url }: Target, { results }: ConformanceReport): object {
  const ids = (outcome: (typeof results)[number]['outcome']) =>
    results.filter((each) => each.outcome === outcome).map(({ id }) => id);
  return {
    operator_id: operator,
    brand_id: brand,
    base_url: url,
    verified_timestamp: Date.now(),
    version: packageVersion(),
    passed: ids('passed').length,
    failed: ids('failed'),
    skipped: ids('skipped'),
  };
}

function exitCodeOf({ certified }: ConformanceReport): number {
  return certified ? walletVerifyExitCodes.certified : walletVerifyExitCodes.notCertified;
}

function heading({ url, brand, main, second }: Target): string {
  return `${url}  brand ${brand}  players ${main.id} and ${second.id} (${main.currency})`;
}

function readFields(path: string): TargetFields {
  return readTargetFile(path, textOf(path));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new TargetError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
