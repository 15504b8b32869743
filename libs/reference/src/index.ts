export { citationFaults } from './decision-citations.js';
export { decisionList, readDecisions, type Decision } from './decision-list.js';
export { generatedFiles, type GeneratedFile } from './generated-files.js';
export { services, type Service } from './services.js';
