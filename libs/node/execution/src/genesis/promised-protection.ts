import { isRecord, memberOf } from './folded-keys.js';

/** Keys of `config` that promise protection from a block on, or at once; those that are served are kept. */
const CONFIG_PROMISES = ['isMPS'];

/**
 * The keys of a file by which people, or what they send, are to be protected, by their place in the file, as far as nothing
 * here does that yet. A node that cannot do what one of them promises must not start: nobody would see that it is not done.
 */
export function promisedProtection(config: unknown): readonly string[] {
  if (!isRecord(config)) return [];
  const isOn = (value: unknown) => value !== undefined && value !== null && value !== false;
  return CONFIG_PROMISES.filter((key) => isOn(memberOf(config, key))).map((key) => `config.${key}`);
}
