/** Something cannot be signed with the key given; the message says why and never holds anything of the key. */
export class SigningError extends Error {
  override readonly name = 'SigningError';

  constructor(
    readonly reason: 'INVALID_KEY' | 'DATA_TOO_LONG' | 'POOL_FULL' | 'POOL_CLOSED',
    message: string,
  ) {
    super(message);
  }
}
