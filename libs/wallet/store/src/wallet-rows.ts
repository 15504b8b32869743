/** What the store keeps of a wallet; sealing and opening belong to the key sealer, meaning is the signing library's. */

/** Signature type of a key: 1 secp256k1, 2 BLS12-381, 3 delegated. */
export type KeyKind = 1 | 2 | 3;

/** How the passphrase becomes the sealing key, and a text by which a wrong one is known. */
export interface SealingParameters {
  readonly generation: number;
  readonly kdf: string;
  readonly scryptN: number;
  readonly scryptR: number;
  readonly scryptP: number;
  readonly salt: Uint8Array;
  readonly checkNonce: Uint8Array;
  readonly checkText: Uint8Array;
}

/** A private key as it lies in the database. */
export interface SealedKey {
  /** Protocol byte and payload. */
  readonly address: Uint8Array;
  readonly kind: KeyKind;
  /** Generation of the sealing parameters under which it is sealed. */
  readonly generation: number;
  readonly cipher: string;
  readonly nonce: Uint8Array;
  /** Ciphertext and authentication tag. */
  readonly sealed: Uint8Array;
  readonly derivationPath?: string | undefined;
  readonly label?: string | undefined;
}

/** A stored key, with the version of its row. */
export interface StoredKey extends SealedKey {
  /** Changes with every change of the row, and when it is deleted and comes again. */
  readonly version: number;
}

/** What an operator may know of a key. */
export interface KeyDescription {
  readonly address: Uint8Array;
  readonly kind: KeyKind;
  readonly derivationPath: string | undefined;
  readonly label: string | undefined;
  readonly createdAt: Date;
}

export type AuditAction = 'sign' | 'create' | 'import' | 'export' | 'delete' | 'change-passphrase';

/** One line of the append-only log. */
export interface AuditRecord {
  /** Subject of the token, or the user of the command line. */
  readonly caller: string;
  readonly requestId: string;
  readonly address: Uint8Array;
  readonly action: AuditAction;
  /** Content of the data to sign: `data`, `message`, `message-cid`, … */
  readonly content?: string | undefined;
  /** Blake2b-256 of the bytes that were to be signed. */
  readonly digest?: Uint8Array | undefined;
  readonly cid?: string | undefined;
  /** JSON of the message's fields. */
  readonly message?: string | undefined;
  readonly decision: 'done' | 'refused';
  readonly reason?: string | undefined;
}

/** A record as it was stored. */
export interface StoredAuditRecord extends AuditRecord {
  readonly sequence: number;
  readonly at: Date;
}
