import type { Reader } from '../../../../lib/document-reader.ts';
import type { Trigger } from '../../../state/configuration/trigger.ts';

export interface PotType {
  /** Reads the parameters; faults go to the reader. `slot`: number of Time triggers before it in its pot. */
  read(parameters: Reader, slot: number): Trigger;
}
