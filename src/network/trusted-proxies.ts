import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** Proxies that a chain is followed through; and texts of chains whose client is remembered, none longer than this. */
const maxHops = 16;
const rememberedChains = 10_000;
const rememberedChainLength = 64;
const maxEntryLength = 64;
/** An address, with a port or without. IPv6 stands in brackets where a port follows. */
const entryForm = /^(?:([0-9.]+)(?::\d{1,5})?|\[([0-9a-f:.]+)\](?::\d{1,5})?|([0-9a-f:.]+))$/i;

/**
 * Who is behind the proxies that are trusted (docs/decisions/0091). A client's address is a text by which it is counted: an IPv4 address, or
 * the first of an IPv6 address' /64, because one client has all of those.
 */
export class TrustedProxies {
  readonly #networks: readonly Network[];
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

  /** The client that a trusted peer's X-Forwarded-For names: the peer itself where it names none that can be believed. */
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
   * From the right, where the nearest proxy wrote, each entry is as good as the trusted one that wrote it. The first that is not trusted is
   * the client; all to the left of it, and of what cannot be read, anybody may have written.
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
    return this.#networks.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits),
    );
  }
}

/** An address as it is counted: see `TrustedProxies`. What is no address stays as it is. */
export function countedAddress(address: string): string {
  const read = readAddress(address);
  return read === null ? address : textOf(read);
}

/** Reads `address/bits`, or an address alone. null: it is neither, or all there is, which would trust every chain's oldest entry. */
export function readNetwork(text: string): Network | null {
  const [address = '', bits, more] = text.split('/');
  const read = readAddress(address);
  if (read === null || more !== undefined || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return null;
  // An IPv4 network may be written as a part of IPv6, too.
  const mapped = read.kind() === 'ipv4' && address.includes(':') ? 96 : 0;
  const maxPrefix = read.kind() === 'ipv4' ? 32 : 128;
  const length = bits === undefined ? maxPrefix : Number(bits) - mapped;
  return length >= 1 && length <= maxPrefix ? [read, length] : null;
}

function readEntry(text: string): Address | null {
  const entry = text.trim();
  if (entry.length > maxEntryLength) return null;
  const [, ipv4, bracketed, ipv6] = entryForm.exec(entry) ?? [];
  return readAddress(ipv4 ?? bracketed ?? ipv6 ?? '', ipv4 === undefined);
}

/** IPv4 in four decimal parts, which everybody reads alike, or IPv6; an IPv4 address within IPv6 is the IPv4 address. */
function readAddress(text: string, onlyIpv6 = false): Address | null {
  if (!text.includes(':'))
    return !onlyIpv6 && ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : null;
  // Which interface a link-local peer is on is no part of who it is.
  const bare = text.split('%', 1)[0] as string;
  return ipaddr.IPv6.isValid(bare) ? ipaddr.process(bare) : null;
}

function textOf(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  const { parts } = address as ipaddr.IPv6;
  return new ipaddr.IPv6([...parts.slice(0, 4), 0, 0, 0, 0]).toString();
}
