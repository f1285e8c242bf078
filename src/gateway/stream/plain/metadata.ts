import { metadataText } from '../../api/contribution/draft.ts';
import { PublicError } from '../../base/errors.ts';
import { parseMetadata } from '../../base/json-body.ts';

/** Short texts are remembered: many contributions say the same. */
const maxRemembered = 256;
const maxRememberedLength = 256;
const remembered = new Map<string, string>();

/** The metadata of a JSON text, as it is kept; null: it is for the general reader, which finds its fault. */
export function plainMetadata(json: string): string | null {
  const known = remembered.get(json);
  if (known !== undefined) return known;
  const metadata = read(json);
  if (metadata === null || json.length > maxRememberedLength) return metadata;
  if (remembered.size >= maxRemembered) remembered.clear();
  remembered.set(json, metadata);
  return metadata;
}

function read(json: string): string | null {
  try {
    return metadataText(parseMetadata(json));
  } catch (fault) {
    if (fault instanceof PublicError) return null;
    throw fault;
  }
}
