import { oneMember, type Reader } from './reader.ts';

/**
 * Reads a list of `{"Kind": parameters}` of one family. `read` gets the family's table entry of the kind, its name, and
 * the path in the list. Unknown kinds are faults and left out.
 */
export function readKinds<K, T>(
  reader: Reader,
  name: string,
  family: Readonly<Record<string, K>>,
  read: (kind: K, name: string, parameters: unknown, path: string) => T,
): readonly T[] {
  return reader.list(name).flatMap((entry, index) => {
    const found = readKind(reader, entry, `${name}[${index}]`, family);
    if (found === null) return [];
    return [read(found.kind, found.name, found.parameters, reader.at(`${name}[${index}]`))];
  });
}

/** The kind that one `{"Kind": parameters}` names; null, with a fault, if the family does not have it. */
export function readKind<K>(
  reader: Reader,
  entry: unknown,
  place: string,
  family: Readonly<Record<string, K>>,
): { readonly name: string; readonly kind: K; readonly parameters: unknown } | null {
  const member = oneMember(entry);
  const kind = member !== null && Object.hasOwn(family, member[0]) ? family[member[0]] : undefined;
  if (member === null || kind === undefined) {
    reader.fault(place, `must be an object with one key of ${Object.keys(family).join(', ')}`);
    return null;
  }
  return { name: member[0], kind, parameters: member[1] };
}
