/**
 * The methods of a node that the page may call. None changes anything on a node or on the chain, and none returns a secret;
 * calls and traces cost what the node's own limits let them.
 */
export const READ_METHODS: ReadonlySet<string> = new Set([
  ...['chainPermission_acctList', 'chainPermission_explain', 'chainPermission_getOrgDetails'],
  ...['chainPermission_nodeList', 'chainPermission_orgList', 'chainPermission_previewChange'],
  ...['chainExtension_activeExtensionContracts', 'chainExtension_inspect', 'priv_getTransactionReceipt'],
  ...[
    'eth_getContractPrivacyMetadata',
    'eth_getPrivateTransactionByHash',
    'eth_getPrivateTransactionReceipt',
  ],
  ...['admin_nodeInfo', 'admin_peers', 'debug_traceTransaction'],
  ...[
    'eth_accounts',
    'eth_blockNumber',
    'eth_call',
    'eth_chainId',
    'eth_estimateGas',
    'eth_getBalance',
    'eth_getBlockByHash',
    'eth_getBlockByNumber',
  ],
  ...['eth_getBlockReceipts', 'eth_getCode', 'eth_getLogs', 'eth_getStorageAt', 'eth_getTransactionByHash'],
  ...['eth_getTransactionCount', 'eth_getTransactionReceipt', 'eth_syncing'],
  ...['ibft_candidates', 'ibft_getSignersFromBlock', 'ibft_getSnapshot', 'ibft_getValidators', 'ibft_status'],
  ...['net_peerCount', 'net_version', 'raft_cluster', 'raft_leader', 'raft_role'],
  ...['txpool_content', 'txpool_status', 'web3_clientVersion'],
]);
