/** A genesis file that cannot be used; the message names the field. */
export class GenesisError extends Error {
  override readonly name = 'GenesisError';
}
