export { freePorts } from './network/free-ports.js';
export { writeEndpointsFile, type Endpoints } from './network/endpoints.js';
export { makeGenesis } from './network/network-files.js';
export { NETWORK_USAGE, parseNetworkOptions, type NetworkOptions } from './network/network-options.js';
export { startNetwork, type Network } from './network/network.js';
export { ROOT, serviceMain } from './paths.js';
export { UsageError } from './usage-error.js';
export { launchSigner, type SignerLaunch } from './network/signer.js';
export { WALLET_PATH, launchWallet, type LaunchedWallet, type WalletLaunch } from './network/wallet.js';
