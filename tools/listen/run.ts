import { randomBytes } from 'node:crypto';
import { createPotstream } from '../../sdk/src/index.ts';
import { type CommandOutput, exitCodes } from '../../src/cli/terminal/output.ts';
import type { Settings } from '../../src/config/settings.ts';
import { readSecretFile } from '../../src/files/secret-file.ts';
import type { LoginChoices } from '../gateway-client/client.ts';
import { CredentialsError, serviceCredentials } from '../gateway-client/credentials.ts';
import { Forwarder } from './forwarder.ts';
import { followServiceFeed } from './service-feed.ts';

export interface ListenChoices extends LoginChoices {
  readonly forwardTo: URL;
  readonly events: readonly string[];
  readonly secretFile?: string;
}

/** `potstream listen`; returns the exit code. */
export async function listenCommand(
  settings: Settings,
  choices: ListenChoices,
  { write, print }: CommandOutput,
): Promise<number> {
  const { forwardTo, events, secretFile } = choices;
  try {
    const secret = secretFile === undefined ? newSecret() : secretOf(secretFile);
    const login = await serviceCredentials(settings.dataDirectory, settings.serviceClient, choices);
    const { url, ...credentials } = login;
    const potstream = createPotstream({ baseUrl: url.href, credentials });
    // A wrong password ends the command, and not each try of the feed.
    await potstream.token();
    const forwarder = new Forwarder({ target: forwardTo, secret, write });
    let isReady = false;
    const feed = followServiceFeed(url, () => potstream.token(), events, {
      opened() {
        if (!isReady) print(`Ready: events go to ${forwardTo.href}, signed with ${secret} (Ctrl-C ends it).`);
        isReady = true;
      },
      event: (frame) => forwarder.take(frame),
      interrupted: (reason) => print(`The feed was interrupted (${reason}).`),
      gap: (instance) => print(`Events of ${instance} are missing: the interruption was too long.`),
    });
    const stop = () => feed.close();
    process.once('SIGINT', stop).once('SIGTERM', stop);
    const refusal = await feed.ended;
    await forwarder.stop();
    if (refusal === null) return exitCodes.done;
    print(`The feed ended: ${refusal}.`);
    return exitCodes.failed;
  } catch (error) {
    if (error instanceof CredentialsError) {
      print(error.message);
      return exitCodes.usage;
    }
    throw error;
  }
}

function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

/** @throws CredentialsError */
function secretOf(path: string): string {
  const secret = readSecretFile(path, (message) => new CredentialsError(message))?.trim() ?? '';
  if (secret.length < 16) throw new CredentialsError(`${path} must hold a secret of 16 characters or more.`);
  return secret;
}
