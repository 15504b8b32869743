import { API_VERSIONS } from '../party/api-versions.js';
import type { PartyTable } from '../party/party-table.js';
import type { KeyRing } from '../keys/key-ring.js';
import { json, text, type Route } from './route.js';

/**
 * What every port answers about the manager.
 * @param version - of this program
 * @param abilities - headers that say what the port serves beyond the versions of its API
 */
export function statusRoutes(version: string, abilities: Readonly<Record<string, string>> = {}): Route[] {
  const get = { method: 'GET' } as const;
  return [
    { ...get, path: '/', handle: async () => ({ status: 200 }) },
    { ...get, path: '/upcheck', handle: async () => text("I'm up!") },
    { ...get, path: '/version', handle: async () => text(version) },
    { ...get, path: '/version/distribution', handle: async () => text(version) },
    { ...get, path: '/version/api', handle: async () => ({ ...json(API_VERSIONS), headers: abilities }) },
  ];
}

/** What applications ask: which keys there are. */
export function keyRoutes(ring: KeyRing, table: PartyTable): Route[] {
  const keysJson = (keys: readonly string[]) => json({ keys: keys.map((key) => ({ key })) });
  const get = { method: 'GET' } as const;
  return [
    { ...get, path: '/keys', handle: async () => keysJson(ring.keys) },
    { ...get, path: '/partyinfo/keys', handle: async () => keysJson(table.entries.map(({ key }) => key)) },
  ];
}
