/**
 * Deletes the entries that were added first, so that what is remembered about others has a bound. A Map and a Set keep the order of
 * additions; an entry that is to count as new again is deleted before it is set.
 * @param entries - changed in place
 * @param maximum - entries that remain at most
 */
export function keepNewest(entries: Map<unknown, unknown> | Set<unknown>, maximum: number): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= maximum) return;
    entries.delete(oldest);
  }
}
