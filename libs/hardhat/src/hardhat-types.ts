import type { Abi, Hex } from 'viem';

/** What the plugin uses of Hardhat 3. Its own types are not here: it is installed where it is used. */

/** A value of the configuration, which may be kept elsewhere. */
export interface ConfiguredValue {
  get(): Promise<string>;
  getUrl(): Promise<string>;
  getHexString(): Promise<string>;
}

/** Accounts of a mnemonic. */
export interface MnemonicAccounts {
  readonly mnemonic: ConfiguredValue;
  readonly initialIndex: number;
  readonly passphrase: ConfiguredValue;
  readonly path: string;
}

/** A network that is reached over HTTP. */
export interface HttpNetwork {
  readonly type: 'http';
  readonly accounts: 'remote' | readonly ConfiguredValue[] | MnemonicAccounts;
  readonly from?: string | undefined;
  readonly url: ConfiguredValue;
  readonly httpHeaders: Readonly<Record<string, string>>;
  readonly timeout: number;
}

/** The runtime that Hardhat makes. */
export interface HardhatRuntime {
  readonly config: {
    readonly networks: Readonly<Record<string, HttpNetwork | { readonly type: 'edr-simulated' }>>;
  };
  readonly globalOptions: { readonly network?: string | undefined };
  readonly artifacts: {
    readArtifact(name: string): Promise<{ readonly abi: Abi; readonly bytecode: string }>;
  };
}

/** Code that is whole. */
export const isLinked = (bytecode: string): bytecode is Hex => /^0x(?:[0-9a-f]{2})+$/i.test(bytecode);
