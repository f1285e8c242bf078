import fc from 'fast-check';
import { expect, it } from 'vitest';
import { writtenConfiguration } from '../../../src/contracts/configuration/document-view.ts';
import { instanceText, instanceView } from '../../../src/contracts/jackpots/instance-view.ts';
import { writeJson } from '../../../src/lib/json.ts';
import { decodeConfiguration, encodeConfiguration } from '../../../src/messages/codec/codec.ts';
import type { InstanceDescription } from '../../../src/messages/records.ts';
import { onePot } from '../../jackpot/support/scenario.ts';
import { description } from '../../messages/arbitraries.ts';

const potIds = fc.array(fc.constantFrom('main', 'grand', 'mini'), { maxLength: 3 });

/** Some of the pots that it describes are in its configuration, some are not. */
const described = fc.tuple(description, potIds, fc.boolean()).map(([instance, ids, isUsual]) => {
  const pots = ids.map((id) => ({ id, contribution: { Fixed: '3.5' }, pot_types: [{ External: {} }] }));
  const configuration = isUsual
    ? { ...onePot(), pots, house_pot: { contribution_type: { Percentage: '0.25' } } }
    : instance.configuration;
  const held = instance.pots.map((pot, index) => ({ ...pot, pot: ids[index] ?? pot.pot }));
  return { ...instance, configuration, pots: held } as InstanceDescription;
});

it('an instance with a written configuration reads as its view does, byte for byte', () => {
  const written = (instance: InstanceDescription) =>
    writtenConfiguration(decodeConfiguration(encodeConfiguration(instance.configuration)));
  fc.assert(
    fc.property(described, (instance) => {
      expect(instanceText(instance, written(instance))).toBe(writeJson(instanceView(instance)));
    }),
    { numRuns: 200 },
  );
});
