import { useSyncExternalStore } from 'react';
import { walletOf, type Wallet } from './wallet-announcement.js';

/** Wallets that are listed. */
const MAX_WALLETS = 16;

let wallets: readonly Wallet[] = [];
const listeners = new Set<() => void>();

/** The first wallet of an id stays: a later one must not take the place of a wallet that the reader chose. */
function announced(event: Event): void {
  const wallet = walletOf(event as CustomEvent<unknown>);
  if (wallet === undefined || wallets.length >= MAX_WALLETS) return;
  if (wallets.some(({ uuid }) => uuid === wallet.uuid)) return;
  wallets = [...wallets, wallet];
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) addEventListener('eip6963:announceProvider', announced);
  listeners.add(listener);
  dispatchEvent(new Event('eip6963:requestProvider'));
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener('eip6963:announceProvider', announced);
  };
}

/** The wallets of the browser, as they announce themselves. */
export const useWallets = (): readonly Wallet[] => useSyncExternalStore(subscribe, () => wallets);
