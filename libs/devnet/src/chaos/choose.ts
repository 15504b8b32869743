/** One of the members; undefined when there is none. */
export function choose<T>(random: () => number, members: readonly T[]): T | undefined {
  return members[Math.floor(random() * members.length)];
}
