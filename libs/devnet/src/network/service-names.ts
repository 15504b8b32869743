/**
 * Services of a network, in the order of their start; they stop in reverse. Managers come
 * first: a node asks its manager when it starts. The rollup's contract is on the chain of the nodes. The console shows
 * those that started before it.
 */
export const NETWORK_SERVICES = [
  'transaction-manager',
  'node',
  'signer',
  'wallet',
  'rollup-operator',
  'console',
] as const;

export type NetworkServiceName = (typeof NETWORK_SERVICES)[number];
