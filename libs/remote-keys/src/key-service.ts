/** One secp256k1 key in a service that signs by itself: the port that each kind of service implements. */
export interface ServiceKey {
  /** For messages and logs, such as `PKCS#11 token bank, key desk`; nothing secret. */
  readonly name: string;
  /**
   * Asks the service for the public key.
   *
   * @param signal - aborted when the answer is not wanted any more
   * @returns 64 bytes x‖y
   * @throws RemoteKeyError
   */
  readPublicKey(signal: AbortSignal): Promise<Uint8Array>;
  /**
   * Asks the service for one ECDSA signature of the digest. It is checked, and s and the parity are found, by
   * `RemoteKey`.
   *
   * @param digest - 32 bytes
   * @param signal - aborted when the answer is not wanted any more
   * @returns r (32) ‖ s (32), s in either half
   * @throws RemoteKeyError; `THROTTLED` and `UNREACHABLE` only when the service has certainly not signed
   */
  sign(digest: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
}

/** How much is asked of one service at a time. */
export interface ServiceLimits {
  /** Calls under way. */
  readonly concurrency: number;
  /** Calls that wait for their turn; the next one fails. */
  readonly maxWaiting: number;
  /** Calls begun in a second; undefined: as many as there are. */
  readonly perSecond?: number | undefined;
}
