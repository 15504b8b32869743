export { SolidityError, compile, compileFolder, loadArtifact, type Artifact } from './compile.js';
