/** The first releases of Node in which several processes can listen on one port without a common parent. */
const firstMinorOf: Readonly<Record<number, number>> = { 22: 12, 23: 1 };

/** Whether several processes can listen on a named port here. uWebSockets.js always can. */
export function mayShareNamedPorts(version = process.versions.node, platform = process.platform): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return platform === 'linux' && (major > 23 || minor >= (firstMinorOf[major] ?? Number.POSITIVE_INFINITY));
}
