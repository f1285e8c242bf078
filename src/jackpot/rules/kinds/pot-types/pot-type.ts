import type { Trigger } from '../../../state/configuration/trigger.ts';
import type { Reader } from '../../documents/reader.ts';

export interface PotType {
  /** Reads the parameters; faults go to the reader. `slot`: number of Time triggers before it in its pot. */
  read(parameters: Reader, slot: number): Trigger;
}
