export { generateKey } from './generate-key.js';
export { CoinKeyError } from './key-error.js';
export {
  EXPORT_FORMATS,
  IMPORT_FORMATS,
  exportKey,
  importKey,
  type ExportFormat,
  type ImportFormat,
  type ImportOptions,
} from './key-file.js';
export { lotusFileName, parseLotusFile, parseLotusFileName, type LotusEntry } from './lotus-key-store.js';
export { derivationPath, generatePhrase, keyFromPhrase, type PhraseKeyOptions } from './phrase-key.js';
export { CoinPrivateKey } from './private-key.js';
export { TOKEN_SECRET_RULE, parseTokenSecret, type TokenSecret } from './token-secret.js';
