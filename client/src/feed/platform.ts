/** What the client uses of browsers, Node, Bun and Deno: it compiles without the types of any of them. */

export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  onerror: (() => void) | null;
  send(text: string): void;
  close(): void;
}

interface EventStream {
  readonly readyState: number;
  onopen: (() => void) | null;
  onerror: (() => void) | null;
  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void;
  close(): void;
}

interface Answer {
  readonly ok: boolean;
  readonly status: number;
  text(): Promise<string>;
}

interface Platform {
  readonly WebSocket?: new (url: string) => Socket;
  /** Not in Node. */
  readonly EventSource?: new (
    url: string,
  ) => EventStream;
  readonly fetch: (
    url: string,
    init?: { headers?: Record<string, string>; signal?: unknown },
  ) => Promise<Answer>;
  readonly performance: { now(): number };
  readonly AbortSignal: { timeout(ms: number): unknown };
  readonly URL: new (url: string, base?: string) => Address;
  readonly URLSearchParams: new (init: Record<string, string>) => { toString(): string };
  setTimeout(task: () => void, ms: number): number;
  clearTimeout(timer: number | undefined): void;
  setInterval(task: () => void, ms: number): number;
  clearInterval(timer: number | undefined): void;
  /** Of pages: the address that relative ones begin from. */
  readonly location?: { readonly href: string };
  readonly document?: Listened & { readonly visibilityState: string };
  /** Not in Node 20. */
  readonly addEventListener?: Listened['addEventListener'];
  readonly removeEventListener?: Listened['removeEventListener'];
  reportError?(error: unknown): void;
  readonly console: { error(error: unknown): void };
}

export interface Address {
  protocol: string;
  pathname: string;
  search: string;
  readonly origin: string;
  readonly host: string;
}

export interface Listened {
  addEventListener(type: string, listener: (event: { readonly persisted?: boolean }) => void): void;
  removeEventListener(type: string, listener: (event: { readonly persisted?: boolean }) => void): void;
}

export const platform = globalThis as unknown as Platform;
