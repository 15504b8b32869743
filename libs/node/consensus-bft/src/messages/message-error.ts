/** Bytes from a peer that are no consensus message; the text names the field. */
export class MessageError extends Error {
  override readonly name = 'MessageError';
}
