import type { Client } from 'viem';
import { getActiveExtensions, type ContractExtension } from './contract-extensions.js';

export interface WatchExtensionsParameters {
  /** For each extension that is active at first or later. */
  readonly onActive: (extension: ContractExtension) => void;
  /** For each that is active no more: approved, rejected or cancelled. */
  readonly onDone?: ((extension: ContractExtension) => void) | undefined;
  /** A question that failed; the next one is asked all the same. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Milliseconds between questions; the client's polling interval by default. */
  readonly pollingInterval?: number | undefined;
}

/**
 * Calls listeners when extensions at this node begin and end.
 *
 * @param client - client of the node
 * @param parameters - the listeners
 * @returns ends the watch
 */
export function watchExtensions(
  client: Client,
  { onActive, onDone, onError, pollingInterval = client.pollingInterval }: WatchExtensionsParameters,
): () => void {
  let known = new Map<string, ContractExtension>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isEnded = false;
  const look = async () => {
    try {
      const active = await getActiveExtensions(client);
      const now = new Map(active.map((one) => [one.managementContractAddress.toLowerCase(), one]));
      if (isEnded) return;
      const before = known;
      known = now;
      for (const [address, one] of now) if (!before.has(address)) onActive(one);
      for (const [address, one] of before) if (!now.has(address)) onDone?.(one);
    } catch (error) {
      if (!isEnded) onError?.(error);
    } finally {
      if (!isEnded) timer = setTimeout(() => void look(), pollingInterval);
    }
  };
  void look();
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}
