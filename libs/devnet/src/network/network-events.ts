/** Events of a network that is starting or running. */
export interface NetworkEvents {
  /** A step of the start is done; in words for people. */
  readonly onProgress?: (what: string) => void;
  /** A service ended unexpectedly. */
  readonly onEnded?: (service: string, how: string) => void;
  /** A service that others do not need has not started; without a listener the whole start fails. */
  readonly onLeftOut?: ((service: string, error: Error) => void) | undefined;
  /** Aborts the start; processes that were started are stopped. */
  readonly signal?: AbortSignal;
}
