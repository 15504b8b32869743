/** Bytes that are not RLP in its shortest form, or not the RLP that was asked for; the message says how. */
export class RlpError extends Error {
  override readonly name = 'RlpError';
}
