import type { HardhatRuntime } from './hardhat-types.js';

/** What Hardhat is given. */
interface PluginOfHardhat {
  readonly id: string;
  readonly npmPackage: string;
  readonly hookHandlers: {
    hre(): Promise<{
      default(): Promise<{
        created(context: unknown, hre: HardhatRuntime & { privacy?: object }): Promise<void>;
      }>;
    }>;
  };
}

/** The plugin, for `plugins` of the configuration of Hardhat 3. */
const plugin: PluginOfHardhat = {
  id: 'tetrad',
  npmPackage: '@tetrad/hardhat',
  hookHandlers: { hre: () => import('./extend-runtime.js') },
};

export default plugin;
export type { Privacy, Sending } from './create-privacy.js';
export type { PrivateContract } from './private-contract.js';
