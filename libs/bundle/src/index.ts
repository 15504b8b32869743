export { bundleFolder, bundleApp } from './bundle-app.js';
export { layOutClientPackage } from './client-package.js';
export { layOutHardhatPackage } from './hardhat-package.js';
export { bundleProgram } from './bundle-program.js';
export { layOutImage, layOutImages } from './image-tree.js';
export { packageClosure } from './package-closure.js';
export { SERVICES, type Service } from './services.js';
export type { Sbom } from './sbom.js';
