/** The same object without its null and undefined members. */
export type Compact<T extends object> = { [Key in keyof T]?: NonNullable<T[Key]> };

/** Clients write null for "not given"; inside, an absent member is the only way to say so. */
export function compact<T extends object>(value: T): Compact<T> {
  const entries = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(entries) as Compact<T>;
}

/** Whether two byte strings are the same. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}
