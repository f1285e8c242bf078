/** One process' metrics in Prometheus' text format. */
export type RoleMetrics = { readonly role: string; readonly text: string };

type Family = { readonly headers: Map<string, string>; readonly samples: string[] };

/** Merges several processes' metrics into one text: families side by side, each sample with its `role`. */
export function mergeMetrics(sources: readonly RoleMetrics[]): string {
  const families = new Map<string, Family>();
  for (const { role, text } of sources) collect(families, role, text);
  const lines = [...families.values()].flatMap((family) => [...family.headers.values(), ...family.samples]);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function collect(families: Map<string, Family>, role: string, text: string): void {
  let current = '';
  for (const line of text.split('\n')) {
    const header = /^# (HELP|TYPE) (\S+)/.exec(line);
    if (header !== null) {
      current = header[2] ?? '';
      const { headers } = familyOf(families, current);
      const kind = header[1] ?? '';
      if (!headers.has(kind)) headers.set(kind, line);
    } else if (line !== '' && !line.startsWith('#')) {
      const name = /^[^{\s]+/.exec(line)?.[0] ?? '';
      // A histogram's _bucket, _sum and _count belong to the family announced before them.
      const owner = current !== '' && name.startsWith(current) ? current : name;
      familyOf(families, owner).samples.push(withRole(line, name, role));
    }
  }
}

function familyOf(families: Map<string, Family>, name: string): Family {
  const family = families.get(name) ?? { headers: new Map<string, string>(), samples: [] };
  families.set(name, family);
  return family;
}

function withRole(line: string, name: string, role: string): string {
  const rest = line.slice(name.length);
  if (!rest.startsWith('{')) return `${name}{role="${role}"}${rest}`;
  const separator = rest.startsWith('{}') ? '' : ',';
  return `${name}{role="${role}"${separator}${rest.slice(1)}`;
}
