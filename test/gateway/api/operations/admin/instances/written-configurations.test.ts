import { expect, it } from 'vitest';
import { shownConfiguration } from '../../../../../../src/contracts/configuration/document-view.ts';
import { WrittenConfigurations } from '../../../../../../src/gateway/api/operations/admin/instances/list-instances.ts';
import { writeJson } from '../../../../../../src/lib/json.ts';
import { encodeConfiguration } from '../../../../../../src/messages/codec/codec.ts';
import { onePot } from '../../../../../jackpot/support/scenario.ts';

const document = (seed: number) => ({ ...onePot(), max_instantiation_count: seed });

it('a configuration is written once, however many instances have it', () => {
  const written = new WrittenConfigurations();
  const first = written.of(encodeConfiguration(document(1)));
  for (let time = 0; time < 500; time += 1) expect(written.of(encodeConfiguration(document(1)))).toBe(first);
  expect(written.written).toBe(1);
  expect(writeJson(first)).toBe(writeJson(shownConfiguration(document(1))));
});

it('forgets all beyond its limit, and writes them again', () => {
  const written = new WrittenConfigurations(4_000);
  for (const _ of [1, 2])
    for (let seed = 0; seed < 100; seed += 1) {
      const { members } = written.of(encodeConfiguration(document(seed)));
      expect(writeJson(members.max_instantiation_count)).toBe(String(seed));
    }
  expect(written.written).toBe(200);
});
