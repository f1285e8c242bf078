/** Host and port of a server as settings name it, with or without `nats://`. */
export function serverAddress(server: string): { readonly host: string; readonly hostname: string } {
  const text = server.trim();
  const { host, hostname } = new URL(text.includes('://') ? text : `nats://${text}`);
  return { host, hostname: hostname.replace(/^\[|\]$/g, '') };
}
