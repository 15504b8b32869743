/** A token, as users of HSMs name it; nothing in it is secret. */
export interface Pkcs11TokenSettings {
  /** Path of the vendor's PKCS#11 module, a shared library. */
  readonly library: string;
  /** Number of the slot, as the library numbers them; the label is the better name, since numbers may change. */
  readonly slot?: number | undefined;
  readonly tokenLabel?: string | undefined;
  /** File whose first line is the user PIN; undefined for tokens that need no login. */
  readonly pinFile?: string | undefined;
  /** Sessions, and so signatures under way. */
  readonly sessions: number;
  /** For one signature; a library that takes longer is ended and started again. */
  readonly timeoutMs: number;
}

/** A key pair on a token, by the label or the id that its two objects have. */
export interface Pkcs11KeyName {
  readonly label?: string | undefined;
  /** CKA_ID in hex digits. */
  readonly id?: string | undefined;
}

export function tokenNameOf({ tokenLabel, slot, library }: Pkcs11TokenSettings): string {
  return `PKCS#11 ${tokenLabel === undefined ? `slot ${slot ?? 'unnamed'}` : `token ${tokenLabel}`} (${library})`;
}

export function keyNameOf({ label, id }: Pkcs11KeyName): string {
  return [...(label === undefined ? [] : [`label ${label}`]), ...(id === undefined ? [] : [`id ${id}`])].join(
    ' ',
  );
}
