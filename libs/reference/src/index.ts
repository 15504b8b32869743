export { generatedFiles, type GeneratedFile } from './generated-files.js';
export { services, type Service } from './services.js';
