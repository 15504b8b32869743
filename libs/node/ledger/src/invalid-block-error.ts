/** A block breaks a rule of the chain; the message says which. */
export class InvalidBlockError extends Error {
  override readonly name = 'InvalidBlockError';
}
