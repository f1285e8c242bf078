/** What `client-load.ts` uses of it; the package has no types of its own. */
declare module 'autocannon' {
  export interface AutocannonRequest {
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly setupRequest?: (request: object) => object;
  }

  export interface AutocannonClient {
    once(event: 'response', listener: (status: number) => void): void;
    setRequests(requests: readonly AutocannonRequest[]): void;
  }

  export interface AutocannonRun extends Promise<{ readonly errors: number }> {
    on(
      event: 'response',
      listener: (client: AutocannonClient, status: number, bytes: number, latencyMs: number) => void,
    ): void;
  }

  export default function autocannon(options: {
    readonly url: string;
    readonly connections: number;
    /** In seconds. */
    readonly duration: number;
    readonly requests: readonly AutocannonRequest[];
    readonly setupClient: (client: AutocannonClient) => void;
  }): AutocannonRun;
}
