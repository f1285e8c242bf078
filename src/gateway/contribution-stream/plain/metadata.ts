import { parseText } from '../../body/parse.ts';
import { metadataText } from '../../contribution/metadata.ts';
import { PublicError } from '../../errors.ts';

/** Metadata of a contribution, as it is kept. */
export interface PlainMetadata {
  readonly text: string | null;
  readonly inexactNumber: boolean;
}

/** Short texts are remembered: many contributions say the same. */
const maxRemembered = 256;
const maxRememberedLength = 256;
const remembered = new Map<string, PlainMetadata>();

/** The metadata that a JSON text says; null: it has a fault, which the general reader finds. */
export function plainMetadata(json: string): PlainMetadata | null {
  const known = remembered.get(json);
  if (known !== undefined) return known;
  const metadata = read(json);
  if (metadata === null || json.length > maxRememberedLength) return metadata;
  if (remembered.size >= maxRemembered) remembered.clear();
  remembered.set(json, metadata);
  return metadata;
}

function read(json: string): PlainMetadata | null {
  try {
    // As deep as in a body; in an array it can be nothing but one value.
    const { value, inexactNumber } = parseText(`[${json}]`);
    const elements = value as readonly unknown[];
    return elements.length === 1 ? { text: metadataText(elements[0]), inexactNumber } : null;
  } catch (fault) {
    if (fault instanceof PublicError) return null;
    throw fault;
  }
}
