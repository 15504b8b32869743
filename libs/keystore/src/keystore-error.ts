/** A key file cannot be used; the message names the file and what is wrong, never anything secret. */
export class KeystoreError extends Error {
  override readonly name = 'KeystoreError';
}
