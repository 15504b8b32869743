/** A random member; undefined for an empty list. */
export function choose<T>(random: () => number, members: readonly T[]): T | undefined {
  return members[Math.floor(random() * members.length)];
}
