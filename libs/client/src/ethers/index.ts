/**
 * A provider and a signer of ethers 6 whose transactions are private.
 *
 * @module @tetrad/client/ethers
 */
export { clientOfProvider } from './client-of-provider.js';
export { PrivateProvider } from './PrivateProvider.js';
export { PrivateSigner } from './PrivateSigner.js';
