/** A file or directory of this machine that a container sees at `target`. */
export interface Mounted {
  readonly source: string;
  readonly target: string;
}

/** One container of a deployment, as its files describe it. */
export interface Container {
  readonly name: string;
  /** Names under which others find it. */
  readonly names: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly program: 'nats-server' | 'potstream';
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly mounts: readonly Mounted[];
  readonly uid: number;
  readonly gid: number;
  /** Answers 200 once the container is ready. */
  readonly readiness: { readonly port: number; readonly path: string };
}

/** A deployment whose containers can be started; the files that they see exist. */
export interface Deployment {
  readonly containers: readonly Container[];
  /** Runs once and ends: a command of `potstream` with the user of this role at nats-server. */
  command(role: string, args: readonly string[]): Container;
  /** Whether `from` may connect to this port of `to`. `from` or `to`: a container's name, `callers` or `operator`. */
  allows(from: string, to: string, port: number): boolean;
  /** Where callers send requests. */
  readonly gateways: readonly string[];
}

/** The image's environment: the last stage of the container file. */
export function imageEnvironment(containerFile: string): Record<string, string> {
  const last = containerFile.slice(containerFile.lastIndexOf('\nFROM '));
  const pairs = [...last.matchAll(/^ENV (.+)$/gm)].flatMap(([, line = '']) => line.split(' '));
  return Object.fromEntries(pairs.map((pair) => pair.split('=', 2) as [string, string]));
}
