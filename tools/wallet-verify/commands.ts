import type { Command } from 'commander';
import { asPositive } from '../../src/cli/terminal/argument-types.ts';
import { terminal } from '../../src/cli/terminal/output.ts';
import { readWalletKeys } from '../../src/config/settings.ts';

interface VerifyFlags {
  readonly config?: readonly string[];
  readonly operator?: string;
  readonly brand?: string;
  readonly provider?: string;
  readonly player?: readonly string[];
  readonly expiredToken?: string;
  readonly revokedToken?: string;
  readonly timeout?: number;
  readonly json?: boolean;
  readonly junit?: string;
  readonly certificate?: string;
}

/** `potstream wallet verify`, below the command that runs the role. */
export function addWalletCommands(potstream: Command): void {
  potstream.commands
    .find((command) => command.name() === 'wallet')!
    .command('verify')
    .description(
      "check an operator's wallet, rule by rule, with money of its test players; see docs/integrate-wallet.md",
    )
    .argument('[url]', 'base URL of the wallet (default: `url` of the configuration)')
    .option(
      '--config <file>',
      'a JSON file with the members below; a second one adds what the first leaves out',
      collect,
    )
    .option('--operator <id>', 'operator_id')
    .option('--brand <id>', 'brand_id, alone or as operator:brand')
    .option('--provider <id>', 'provider_id of the transactions (default: potstream)')
    .option(
      '--player <id:currency:token>',
      'a test player; two of one currency are needed, more currencies help',
      collect,
    )
    .option('--expired-token <token>', 'expired_token: a token that was valid once')
    .option('--revoked-token <token>', 'revoked_token: a token that was taken back')
    .option('--timeout <ms>', 'timeout_ms: how long an answer may take (default: 2000)', asPositive)
    .option('--json', 'print the report as JSON')
    .option('--junit <file>', 'write the report as JUnit XML')
    .option('--certificate <file>', 'write the verdict for an administrator of Potstream, who records it')
    .addHelpText('after', helpText)
    .action(async (url: string | undefined, flags: VerifyFlags, command: Command) => {
      const { verifyWalletCommand } = await import('./run.ts');
      const players = flags.player?.map(playerOf);
      if (players?.includes(null) === true) command.error('error: --player is id:currency:token');
      process.exitCode = await verifyWalletCommand(
        {
          flags: {
            url,
            operator_id: flags.operator,
            brand_id: flags.brand,
            provider_id: flags.provider,
            players,
            expired_token: flags.expiredToken,
            revoked_token: flags.revokedToken,
            timeout_ms: flags.timeout,
          },
          files: flags.config ?? [],
          environment: readWalletKeys(),
          json: flags.json === true,
          junit: flags.junit ?? null,
          certificate: flags.certificate ?? null,
        },
        terminal,
      );
    });
}

const helpText = `
The keys are never flags. They are \`bearer_key\` and \`hmac_secret\` of a configuration file, or POTSTREAM_WALLET_BEARER_KEY and
POTSTREAM_WALLET_HMAC_SECRET. A configuration has url, bearer_key, hmac_secret, operator_id, brand_id, provider_id,
players [{player_id, token, currency}], expired_token, revoked_token, timeout_ms, and no other member.

Before any money moves, W1 must answer for each player with exactly that player and currency.

Exit codes: 0 CERTIFIED, also with skipped checks; 1 NOT CERTIFIED; 2 the configuration is wrong, or W1 does not answer as it
says: no money has moved.`;

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function playerOf(text: string) {
  const [, player_id, currency, token] = /^([^:]+):([^:]+):(.+)$/.exec(text) ?? [];
  return token === undefined ? null : { player_id, currency, token };
}
