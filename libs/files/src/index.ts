export { writeNewWhole, writeWhole } from './whole-file.js';
