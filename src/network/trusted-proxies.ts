import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** Proxies followed in a chain; cached chains, and the longest text of one. */
const maxHops = 16;
const rememberedChains = 10_000;
const rememberedChainLength = 64;
const maxEntryLength = 64;
/** An address, with or without a port. IPv6 with a port is in brackets. */
const entryForm = /^(?:([0-9.]+)(?::\d{1,5})?|\[([0-9a-f:.]+)\](?::\d{1,5})?|([0-9a-f:.]+))$/i;

/**
 * Finds a trusted proxy's client (docs/decisions/0091), counted by its IPv4 address, or by the first address
 * of its IPv6 /64, because one client has all of those.
 */
export class TrustedProxies {
  readonly #networks: Network[];
  readonly #clients = new Map<string, string | null>();

  /** @param networks each as `readNetwork` takes it */
  constructor(networks: readonly string[]) {
    this.#networks = networks.map((text) => {
      const network = readNetwork(text);
      if (network === null) throw new Error(`${text} is no network.`);
      return network;
    });
  }

  trusts(address: string): boolean {
    const read = readAddress(address);
    return read !== null && this.#includes(read);
  }

  /** The client in a trusted peer's X-Forwarded-For; the peer itself if there is no credible one. */
  clientBehind(peer: string, forwarded: string | undefined): string {
    return (forwarded === undefined ? null : this.#remembered(forwarded)) ?? countedAddress(peer);
  }

  #remembered(forwarded: string): string | null {
    if (forwarded.length > rememberedChainLength) return this.#clientOf(forwarded);
    const known = this.#clients.get(forwarded);
    if (known !== undefined) return known;
    const client = this.#clientOf(forwarded);
    if (this.#clients.size >= rememberedChains) this.#clients.clear();
    this.#clients.set(forwarded, client);
    return client;
  }

  /**
   * Reads from the right, because a trusted proxy wrote the entry before its own: the first untrusted entry
   * is the client. Any client may have written what is left of it, or of an unreadable entry.
   */
  #clientOf(forwarded: string): string | null {
    let client: string | null = null;
    let end = forwarded.length;
    for (let hop = 0; hop < maxHops; hop += 1) {
      const comma = forwarded.lastIndexOf(',', end - 1);
      const address = readEntry(forwarded.slice(comma + 1, end));
      if (address === null) return client;
      client = textOf(address);
      if (comma < 0 || !this.#includes(address)) return client;
      end = comma;
    }
    return client;
  }

  #includes(address: Address): boolean {
    return ipaddr.subnetMatch(address, { trusted: this.#networks }, '') === 'trusted';
  }
}

/** An address as TrustedProxies counts it. Any other text stays as it is. */
export function countedAddress(address: string): string {
  const read = readAddress(address);
  return read === null ? address : textOf(read);
}

/**
 * Reads `address/bits`, or an address alone. null for any other text and for `/0`, which would trust every
 * chain's oldest entry.
 */
export function readNetwork(text: string): Network | null {
  const cidr = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`;
  if (!ipaddr.IPv4.isValidCIDRFourPartDecimal(cidr) && !ipaddr.IPv6.isValidCIDR(cidr)) return null;
  const [address, bits] = ipaddr.parseCIDR(cidr);
  // An IPv4 network may be written as a part of IPv6, too.
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
  const network: Network = isMapped ? [address.toIPv4Address(), bits - 96] : [address, bits];
  return network[1] < 1 ? null : network;
}

function readEntry(text: string): Address | null {
  const entry = text.trim();
  if (entry.length > maxEntryLength) return null;
  const [, ipv4, bracketed, ipv6] = entryForm.exec(entry) ?? [];
  return readAddress(ipv4 ?? bracketed ?? ipv6 ?? '', ipv4 === undefined);
}

/** Reads IPv4 in four decimal parts, or IPv6. An IPv4-mapped address becomes the IPv4 address. */
function readAddress(text: string, onlyIpv6 = false): Address | null {
  if (!text.includes(':'))
    return !onlyIpv6 && ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : null;
  // The interface of a link-local peer does not identify it.
  const bare = text.split('%', 1)[0] as string;
  return ipaddr.IPv6.isValid(bare) ? ipaddr.process(bare) : null;
}

function textOf(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  const { parts } = address as ipaddr.IPv6;
  return new ipaddr.IPv6([...parts.slice(0, 4), 0, 0, 0, 0]).toString();
}
