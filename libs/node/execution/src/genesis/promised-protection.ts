import { isRecord, memberOf } from './folded-keys.js';

/** Keys of `config` that demand protection and that this node does not implement. */
const CONFIG_PROMISES = ['isMPS'];

/**
 * Paths of keys in the file that demand protection of clients or their data, and that this node does not implement. A node
 * must not start with such a key, because the missing protection would go unnoticed.
 */
export function promisedProtection(config: unknown): readonly string[] {
  if (!isRecord(config)) return [];
  const isOn = (value: unknown) => value !== undefined && value !== null && value !== false;
  return CONFIG_PROMISES.filter((key) => isOn(memberOf(config, key))).map((key) => `config.${key}`);
}
