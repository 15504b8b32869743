import type { ValidatorSnapshot } from '@tetrad/node-consensus-bft';
import type { BftChain } from '@tetrad/node-consensus-bft-chain';
import { SealEvidence } from '../seal-evidence.js';
import { StateSync, type StateSyncOptions } from '../state-sync.js';
import { FileSource } from './file-source.js';
import { StateFileError } from './state-file-error.js';
import { StateFileReader } from './state-file.js';

export interface StateImportOptions extends Omit<
  StateSyncOptions<ValidatorSnapshot>,
  'peers' | 'evidence' | 'chain' | 'isGathered' | 'isOrdered'
> {
  readonly chain: BftChain;
  readonly path: string;
}

/**
 * Joins from a file in place of peers: the same is verified. It may be killed at any time and run again with the same file.
 * @returns number of the block whose state is there
 * @throws StateFileError naming what is wrong with the file; as `StateSync.run`
 */
export async function importState(options: StateImportOptions): Promise<number> {
  const { reader, head } = await StateFileReader.open(options.path);
  try {
    const genesis = await options.chain.ledger.findHeader(0);
    if (genesis?.hash !== head.genesisHash)
      throw new StateFileError(
        `the file is of the chain with genesis ${head.genesisHash}, the genesis file describes ${genesis?.hash}`,
      );
    const failing = new AbortController();
    const source = new FileSource(reader, head, (error) => failing.abort(error));
    const signal = AbortSignal.any([options.signal, failing.signal]);
    const joined = await new StateSync({
      ...options,
      evidence: () => new SealEvidence(options.chain, options.store),
      peers: source.peers,
      isGathered: () => true,
      isOrdered: true,
      signal,
    }).run();
    if (joined === undefined) throw new StateFileError('the file has no past to leave out');
    return joined;
  } finally {
    await reader.close();
  }
}
