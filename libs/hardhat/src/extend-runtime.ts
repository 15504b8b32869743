import { createPrivacy } from './create-privacy.js';
import type { HardhatRuntime } from './hardhat-types.js';

/**
 * What Hardhat calls when it has made its runtime.
 *
 * @returns the handlers
 */
const handlers = async () => ({
  async created(_context: unknown, hre: HardhatRuntime & { privacy?: object }): Promise<void> {
    hre.privacy = createPrivacy(hre);
  },
});

export default handlers;
