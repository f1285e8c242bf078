import { toHex, utf8 } from '../../../lib/bytes.ts';
import { errorText } from '../../../log/base/error-text.ts';
import { encodeCommandBatch } from '../../../messages/codec/codec.ts';
import type { Command } from '../../../messages/commands.ts';
import { type CommandChannel, LogError } from '../../../ports.ts';
import type { ActorPorts } from '../../ports/actor-ports.ts';
import { throughOutages } from '../../ports/outages.ts';

const batchIdBytes = 16;

interface AppendHow {
  readonly expectedLastOnSubject?: number;
  /** Asked before each try. */
  readonly isWanted?: () => boolean;
}

/**
 * Writes the owner's commands into its lane. Commands with the same `identity` are stored once within the
 * stream's duplicate window, even by another run of the process.
 */
export class CommandWriter {
  readonly #lane: number;
  readonly #ports: Pick<ActorPorts, 'log' | 'clock' | 'hashing' | 'monitor'>;
  readonly #onFull: (full: boolean) => void;
  #stopped = false;

  /** `onFull`: the command log takes nothing more (true), or takes messages again (false). */
  constructor(
    lane: number,
    ports: Pick<ActorPorts, 'log' | 'clock' | 'hashing' | 'monitor'>,
    onFull: (full: boolean) => void = () => {},
  ) {
    this.#lane = lane;
    this.#ports = ports;
    this.#onFull = onFull;
  }

  /** The sequence at which the commands stand; null where they could not be written. */
  async write(identity: string, commands: readonly Command[]): Promise<number | null> {
    try {
      const result = await this.append('control', identity, commands);
      return result?.kind === 'stored' ? result.sequence : null;
    } catch (error) {
      const code = error instanceof LogError ? error.code : 'command_not_written';
      this.#ports.monitor.alarm(this.#lane, code, errorText(error));
      return null;
    }
  }

  /** Appends one message, through outages and a full log. Null once stopped or no longer wanted. */
  async append(
    channel: CommandChannel,
    identity: string,
    commands: readonly Command[],
    { expectedLastOnSubject, isWanted = () => true }: AppendHow = {},
  ) {
    const { log, clock, hashing } = this.#ports;
    const batchId = hashing.sha256(utf8(identity)).slice(0, batchIdBytes);
    const bytes = encodeCommandBatch({ batchId, gateway: '', commands });
    const options = {
      messageId: toHex(batchId),
      ...(expectedLastOnSubject === undefined ? {} : { expectedLastOnSubject }),
    };
    const result = await throughOutages(
      clock,
      () => this.#stopped || !isWanted(),
      () => log.append(this.#lane, channel, bytes, options),
      () => this.#onFull(true),
    );
    if (result !== null) this.#onFull(false);
    return result;
  }

  stop(): void {
    this.#stopped = true;
  }
}
