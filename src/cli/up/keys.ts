import { requireSealKey } from '../../access/keys/required-key.ts';
import { SealKeyError } from '../../access/keys/seal.ts';
import { requireDrawKeys } from '../../actors/epochs/keys/draw-keys.ts';
import { KeyRingError } from '../../actors/epochs/keys/key-ring.ts';
import type { Settings } from '../../config/settings.ts';
import { connectReader } from '../../log/jetstream/connect.ts';
import { hasHistory } from '../../log/system/system-id.ts';
import { dataPaths } from '../../runtime/data-directory.ts';
import { StartError } from '../../runtime/start-error.ts';
import { logSettings } from '../../wiring.ts';

/**
 * @throws StartError `keys_missing` if the data needs keys that are missing; no role has made new ones then
 */
export async function requireKeys(settings: Settings): Promise<void> {
  if (settings.newKeys) return;
  const { keys } = dataPaths(settings.dataDirectory);
  const drawKeys = settings.drawKeysDirectory;
  const log = await connectReader(logSettings(settings, 'start'));
  try {
    if (await hasHistory(log, settings.lanes)) requireDrawKeys({ drawKeys, keys });
    requireSealKey(keys, await (await log.table('ACCOUNTS')).keys());
  } catch (error) {
    if (!(error instanceof KeyRingError || error instanceof SealKeyError)) throw error;
    throw new StartError('keys_missing', error.message);
  } finally {
    await log.close();
  }
}
