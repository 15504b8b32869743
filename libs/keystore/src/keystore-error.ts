import { TetradError } from '@tetrad/types';

/** What is wrong with a key file, for callers that have words of their own for it. */
export type KeystoreFault =
  /** There is no such file. */
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
  /** What is inside is not a key, or not that of the address the file states. */
  | 'KEY'
  /** A file cannot be written, or a key is asked for that is not there. */
  | 'OTHER';

/** A key file cannot be used; the message names the file and what is wrong, never anything secret. */
export class KeystoreError extends TetradError {
  override readonly name = 'KeystoreError';

  constructor(
    message: string,
    override readonly code: KeystoreFault = 'OTHER',
  ) {
    super(message);
  }
}
