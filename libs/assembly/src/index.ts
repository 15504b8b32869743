export { AssemblyError, compile, compileFolder } from './compile.js';
