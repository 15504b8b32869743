/** Bytes of a peer that are not what the protocol says; the message names the field. */
export class WireError extends Error {
  override readonly name = 'WireError';
}
