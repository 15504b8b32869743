export { runChaos, type ChaosOptions, type ChaosReport } from './chaos/chaos.js';
export { startLinkedNetwork, type LinkedNetwork } from './chaos/linked-network.js';
export { Trouble } from './chaos/trouble.js';
export { victimsOf } from './chaos/victims.js';
export { callRpc } from './demo/call-rpc.js';
export {
  sendMarked,
  sendPrivately,
  signPrivately,
  submit,
  type PrivateRequest,
} from './demo/send-privately.js';
export { minedOnce } from './demo/mined-once.js';
export { eventually } from './demo/eventually.js';
export { freePorts } from '@tetrad/testkit';
export { writeEndpointsFile, type Endpoints } from './network/endpoints.js';
export { makeGenesis } from './network/network-files.js';
export { NETWORK_USAGE, parseNetworkOptions, type NetworkOptions } from './network/network-options.js';
export { startNetwork, type Network } from './network/network.js';
export type { NetworkNode } from './network/network-node.js';
export { PORTS_PER_NODE, PORT_STEP } from './network/ports.js';
export { ROOT, serviceMain } from './paths.js';
export { UnknownCommitError, buildEarlier, type EarlierPrograms } from './upgrade/earlier-programs.js';
export {
  upgradeRolling,
  type RollingUpgradeOptions,
  type RollingUpgradeReport,
} from './upgrade/rolling-upgrade.js';
export { UsageError } from './usage-error.js';
export type { ServiceProcess } from './network/service-process.js';
export { openSigner, type SignerLaunch } from './network/signer.js';
export { WALLET_PATH, openWallet, type WalletLaunch } from './network/wallet.js';
