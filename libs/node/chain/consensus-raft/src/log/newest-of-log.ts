import type { LogKeys } from './log-keys.js';
import { decodeHead, type LogHead } from './log-records.js';
import type { LogStore } from './log-store.js';

/**
 * The newest block of the log.
 * @returns undefined while no log was created
 * @throws LogError `foreign`, EtcdError
 */
export async function newestOfLog(
  store: Pick<LogStore, 'range'>,
  keys: LogKeys,
): Promise<LogHead | undefined> {
  const [head] = (await store.range({ key: keys.head })).entries;
  return head === undefined ? undefined : decodeHead(keys.head, head.value);
}
