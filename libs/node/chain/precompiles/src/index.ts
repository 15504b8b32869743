export {
  FORK_NAMES,
  type ForkName,
  type Pace,
  type Precompile,
  type PrecompileOutput,
  type Precompiles,
} from './precompile.js';
export { precompiles } from './precompiles.js';
