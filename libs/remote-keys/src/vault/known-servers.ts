import { VaultError } from './vault-error.js';

const LINE = /^(\S+)\s+((?:[0-9a-f]{2}:){31}[0-9a-f]{2})$/i;

/**
 * A known-servers file: `<host>:<port> <SHA-256 fingerprint, colon-separated hex>` a line, `#` before comments.
 * @returns `host:port` in lower case → fingerprints in upper case, as `node:tls` writes them
 * @throws VaultError naming the line
 */
export function parseKnownServers(content: string, file: string): ReadonlyMap<string, ReadonlySet<string>> {
  const servers = new Map<string, Set<string>>();
  for (const [index, line] of content.split(/\r?\n/).entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const [, server, fingerprint] = LINE.exec(trimmed) ?? [];
    if (server === undefined || fingerprint === undefined) {
      throw new VaultError(`${file}, line ${index + 1}: is not <host>:<port> <SHA-256 fingerprint>`);
    }
    const known = servers.get(server.toLowerCase()) ?? new Set<string>();
    servers.set(server.toLowerCase(), known.add(fingerprint.toUpperCase()));
  }
  return servers;
}
