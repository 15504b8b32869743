export { RemoteKeyError } from '../remote-key-error.js';
export { isSecretFile, parseSecretFile, readSecretFile } from './secret-file.js';
export type { SecretFile, SecretLocation } from './secret-location.js';
export { SecretServices } from './secret-services.js';
export { SecretTexts } from './secret-texts.js';
export type { Variables } from './section-context.js';
