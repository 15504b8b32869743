import {
  booleanOption,
  defineOptions,
  durationOption,
  option,
  pathOption,
  secretPathOption,
  plainServiceOptions,
  textOption,
  type ConfigOf,
} from '@tetrad/service';

const NETWORK = 'Network';

/** Options of `console`. */
export const consoleOptions = defineOptions({
  ...plainServiceOptions({ httpListenPort: 7070, opsListenPort: 7071 }),
  endpointsFile: option(pathOption(), {
    group: NETWORK,
    description:
      'The endpoints file of the network, as `up` writes it; read again when it changes. The page learns names and roles from it, never keys or the database.',
    required: true,
  }),
  nodeTokenFile: option(secretPathOption(), {
    group: NETWORK,
    description: 'File with a bearer token for the nodes; read again when it changes.',
  }),
  rollupTokenFile: option(secretPathOption(), {
    group: NETWORK,
    description: 'File with a bearer token for the rollup operator; read again when it changes.',
  }),
  signerTokenFile: option(secretPathOption(), {
    group: NETWORK,
    description: 'File with a bearer token for the signer; read again when it changes.',
  }),
  walletTokenFile: option(secretPathOption(), {
    group: NETWORK,
    description: 'File with a bearer token for the wallet; read again when it changes.',
  }),
  nodeWriteTokenFile: option(secretPathOption(), {
    group: NETWORK,
    description:
      'File with a bearer token with which writes go to the nodes, another than that for reads; read again when it changes. Without it no node is written to. Needs authentication of callers: each write is one that the caller’s token names as a whole method, such as `ibft_propose`; prefixes as in `ibft_*` permit reads alone.',
  }),
  signerWriteTokenFile: option(secretPathOption(), {
    group: NETWORK,
    description:
      'As --node-write-token-file, for the signer: with it callers whose token names `eth_sendTransaction` may send.',
  }),
  abiFolder: option(pathOption('DIR'), {
    group: NETWORK,
    description:
      'Folder with ABI files for all readers, read again when it changes: at most 200 of 4 MiB together, each an ABI, an artifact or a compiler’s output. A file whose name has an address, such as Token.0x….json, is used for that contract, others for any.',
  }),
  verifySources: option(booleanOption(), {
    group: NETWORK,
    description:
      'Whether readers may have the sources of contracts compiled and compared with the code of an account, by the Solidity compiler of this release: one input of 2 MiB at a time, for two minutes at most.',
    default: true,
  }),
  nodeTimeout: option(durationOption({ min: 100, max: 600_000 }), {
    group: NETWORK,
    description: 'Time limit for an answer of a node or another service.',
    default: 10_000,
  }),
  authJwtAccountsClaim: option(textOption('CLAIM'), {
    group: 'Access',
    description:
      'Claim that binds a token to accounts of the rollup, as the rollup operator has it. Readers with such a token see no rollup here: the console asks for all accounts.',
    default: 'accounts',
  }),
});

export type ConsoleConfig = ConfigOf<typeof consoleOptions>;
