import { READ_METHODS } from './read-methods.js';

/** What the console can ask: a node, the rollup operator, the signer, the wallet. */
export type EndpointKind = 'node' | 'rollup' | 'signer' | 'wallet';

/**
 * The methods that are let through, by the kind of service. A signer forwards what it does not know to its Ethereum client, with
 * its own rights there, so that for no kind a prefix is enough.
 */
export const METHODS_OF_KIND: Readonly<Record<EndpointKind, ReadonlySet<string>>> = {
  node: READ_METHODS,
  rollup: new Set([
    'pazkp_findAccountById',
    'pazkp_findAccountByPublicKey',
    'pazkp_getAccountNonce',
    'pazkp_getAccountState',
    'pazkp_findMoneyOrderCreation',
    'pazkp_findMoneyOrderRedemption',
    'pazkp_findOutboundTransfer',
    'pazkp_listMoneyOrderCreations',
    'pazkp_listMoneyOrderRedemptions',
    'pazkp_listMoneyOrdersReceived',
    'pazkp_listOutboundTransferCreations',
    'rollup_getBatchQueue',
  ]),
  signer: new Set([
    'eth_accounts',
    'health_status',
    'signer_listDecisions',
    'signer_listSends',
    // The Ethereum client behind it answers these: where the signer's transactions go.
    'eth_blockNumber',
    'eth_chainId',
    'eth_getBalance',
    'eth_getTransactionCount',
  ]),
  wallet: new Set(['Coin.WalletList']),
};
