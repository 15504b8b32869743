export { clientOfProvider } from './client-of-provider.js';
export { PrivateProvider } from './PrivateProvider.js';
export { PrivateSigner } from './PrivateSigner.js';
