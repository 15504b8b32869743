export { composeWallet } from './compose.js';
export { walletOptions, type WalletConfig } from './config.js';
