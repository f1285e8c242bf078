interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values: readonly string[];
  }[];
}

interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly port: number }[];
}

/** A NetworkPolicy, as far as these manifests use it. */
export interface Policy {
  readonly spec: {
    readonly podSelector: Selector;
    readonly policyTypes: readonly ('Ingress' | 'Egress')[];
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
  };
}

/** The test is all that is outside: a namespace of callers that also scrapes, and an operator at a public address. */
const labelsOfCallers: Readonly<Record<string, string>> = {
  'potstream/callers': 'true',
  'potstream/scrapers': 'true',
};

/** Which pods may connect to which, by NetworkPolicies: what some policy selects is refused unless a rule allows it. */
export class NetworkRules {
  readonly #policies: readonly Policy[];
  readonly #labelsOf: (pod: string) => Readonly<Record<string, string>> | undefined;

  constructor(
    policies: readonly Policy[],
    labelsOf: (pod: string) => Readonly<Record<string, string>> | undefined,
  ) {
    this.#policies = policies;
    this.#labelsOf = labelsOf;
  }

  allows(from: string, to: string, port: number): boolean {
    return this.#allowsWay('Egress', from, to, port) && this.#allowsWay('Ingress', to, from, port);
  }

  #allowsWay(type: 'Ingress' | 'Egress', pod: string, peer: string, port: number): boolean {
    const labels = this.#labelsOf(pod);
    if (labels === undefined) return true;
    const chosen = this.#policies.filter(
      ({ spec }) => spec.policyTypes.includes(type) && selects(spec.podSelector, labels),
    );
    if (chosen.length === 0) return true;
    const rules = chosen.flatMap(({ spec }) => (type === 'Egress' ? spec.egress : spec.ingress) ?? []);
    return rules.some((rule) => {
      const peers = rule.to ?? rule.from;
      const isPort = rule.ports === undefined || rule.ports.some((each) => each.port === port);
      return isPort && (peers === undefined || peers.some((each) => this.#isPeer(each, peer)));
    });
  }

  #isPeer({ podSelector, namespaceSelector, ipBlock }: Peer, name: string): boolean {
    if (ipBlock !== undefined) return name === 'operator' && ipBlock.cidr === '0.0.0.0/0';
    if (namespaceSelector !== undefined)
      return name === 'callers' && selects(namespaceSelector, labelsOfCallers);
    const labels = this.#labelsOf(name);
    return labels !== undefined && podSelector !== undefined && selects(podSelector, labels);
  }
}

function selects(
  { matchLabels = {}, matchExpressions = [] }: Selector,
  labels: Readonly<Record<string, string>>,
): boolean {
  return (
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
    matchExpressions.every(
      ({ key, operator, values }) => operator === 'In' && values.includes(labels[key] ?? ''),
    )
  );
}
