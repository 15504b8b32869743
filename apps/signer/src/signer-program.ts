import type { MainDefinition } from '@tetrad/service';
import { translateArguments, translateEnvironment } from './command-line.js';
import { signerOptions } from './config.js';
import { ETHSIGNER, WEB3SIGNER, type Emulation } from './emulation.js';
import { eth1Options } from './web3signer/eth1-options.js';
import { Web3signerWords } from './web3signer/web3signer-words.js';

type Options = typeof signerOptions | typeof eth1Options;

/** The signer as one of the programs that it replaces. */
export interface SignerProgram extends Pick<
  MainDefinition<Options>,
  'options' | 'readConfigFile' | 'translateArguments' | 'translateEnvironment'
> {
  readonly emulation: Emulation;
  /** Options of theirs that were given and have no effect here, once all are read. */
  readonly withoutEffect: readonly string[];
}

/** Selects the program by the command line: web3signer by its command `eth1`, otherwise EthSigner and our own options. */
export async function signerProgram(argv: readonly string[]): Promise<SignerProgram> {
  const words = new Web3signerWords(eth1Options);
  if (!words.areOf(argv)) {
    return {
      options: signerOptions,
      translateArguments,
      translateEnvironment,
      emulation: ETHSIGNER,
      withoutEffect: [],
    };
  }
  const { yamlConfigFile } = await import('./web3signer/yaml-config-file.js');
  return {
    options: eth1Options,
    translateArguments: (given) => words.translateArguments(given),
    translateEnvironment: (environment) => words.translateEnvironment(environment),
    readConfigFile: yamlConfigFile(words),
    emulation: WEB3SIGNER,
    withoutEffect: words.withoutEffect,
  };
}
