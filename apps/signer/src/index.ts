export { composeSigner } from './compose.js';
export { signerOptions, type SignerConfig } from './config.js';
