import { isRecord, memberOf } from './folded-keys.js';

/** Keys of `config` that promise protection from a block on, or at once; those of private transactions are kept. */
const CONFIG_PROMISES = ['qip714Block', 'isMPS'];

/** Keys of transitions that promise it where they are true. */
const TRANSITION_PROMISES = ['enhancedPermissioningEnabled'];

/**
 * The keys of a file by which people, or what they send, are to be protected, by their place in the file, as far as nothing
 * here does that yet. A node that cannot do what one of them promises must not start: nobody would see that it is not done.
 */
export function promisedProtection(config: unknown): readonly string[] {
  if (!isRecord(config)) return [];
  const isOn = (value: unknown) => value !== undefined && value !== null && value !== false;
  const own = CONFIG_PROMISES.filter((key) => isOn(memberOf(config, key))).map((key) => `config.${key}`);
  const transitions = memberOf(config, 'transitions');
  const later = (Array.isArray(transitions) ? transitions : []).flatMap((transition: unknown, index) =>
    TRANSITION_PROMISES.filter((key) => isRecord(transition) && isOn(memberOf(transition, key))).map(
      (key) => `config.transitions.${index}.${key}`,
    ),
  );
  return [...own, ...later];
}
