export { SolidityError, compile, compileFolder, loadArtifact, type Artifact } from './solidity/compile.js';
