// In the package alone, where Hardhat is installed: it is named by index.d.ts.
import 'hardhat/types/hre';
import type { Privacy } from './create-privacy.js';

declare module 'hardhat/types/hre' {
  interface HardhatRuntimeEnvironment {
    /** Private contracts of a Tetrad network. */
    privacy: Privacy;
  }
}
