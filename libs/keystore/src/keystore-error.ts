import { TetradError } from '@tetrad/types';

/** The problem with a key file, for callers that have their own messages for it. */
export type KeystoreFault =
  /** The file does not exist. */
  | 'MISSING'
  /** The file cannot be read. */
  | 'UNREADABLE'
  /** The content is not a V3 key file. */
  | 'FORMAT'
  | 'VERSION'
  | 'CIPHER'
  | 'KDF'
  | 'PRF'
  | 'PASSWORD'
  /** The content is not a key, or not the key of the address in the file. */
  | 'KEY'
  /** A file cannot be written, or a requested key does not exist. */
  | 'OTHER';

/** A key file cannot be used; the message names the file and the problem, never anything secret. */
export class KeystoreError extends TetradError {
  override readonly name = 'KeystoreError';

  constructor(
    message: string,
    override readonly code: KeystoreFault = 'OTHER',
  ) {
    super(message);
  }
}
