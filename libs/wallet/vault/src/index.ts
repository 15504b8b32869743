export { DEFAULT_SCRYPT_COST } from './derive-sealing-key.js';
export { openKeySealer } from './open-key-sealer.js';
export { KeySealer, type UnsealedKey } from './key-sealer.js';
export { DamagedKeyError, SealingError } from './sealing-error.js';
