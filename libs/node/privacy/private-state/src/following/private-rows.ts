import type { StateChanges } from '@tetrad/node-execution';
import type {
  StoredLog,
  StoredRepair,
  PrivateBlockWrite,
  StoredPrivateContract,
  StoredPrivateReceipt,
} from '@tetrad/node-store';
import { bytesFromHex, type Address } from '@tetrad/types';
import { extensionChanges } from '../extension/extension-changes.js';
import type { PrivateResult } from '../execution/private-execution.js';
import type { PrivacyMetadata } from '../metadata/privacy-metadata.js';

/** Results of a block's private transactions. */
export interface PrivateBlock {
  readonly blockNumber: number;
  readonly results: readonly PrivateResult[];
  readonly changes: StateChanges;
  readonly created: ReadonlyMap<Address, PrivacyMetadata>;
  /** Number of public logs of the block. Private logs are numbered after them, so that public indexes agree on all nodes. */
  readonly publicLogs: number;
  readonly repairs: readonly StoredRepair[];
}

/** The rows to store for the block. */
export function toPrivateWrite(block: PrivateBlock): PrivateBlockWrite {
  const { changes, created, repairs } = block;
  return {
    stateRoot: changes.stateRoot,
    ...receiptRows(block),
    extensions: extensionChanges(block.results),
    repairs,
    contracts: [...created].map(([address, { creation, privacyFlag }]): StoredPrivateContract => ({
      address,
      creation: bytesFromHex(creation),
      privacyFlag,
    })),
    nodes: changes.nodes.map(({ hash, encoded }) => ({ hash, bytes: encoded })),
    codes: changes.codes.map(({ hash, code }) => ({ hash, bytes: code })),
    preimages: changes.preimages.map(({ hash, value }) => ({ hash, bytes: value })),
  };
}

function receiptRows({ blockNumber, results, publicLogs }: PrivateBlock) {
  const logs: StoredLog[] = [];
  const receipts = results.map(({ index, hash, transaction, receipt }): StoredPrivateReceipt => {
    const firstLog = publicLogs + logs.length;
    for (const { address, topics, data } of receipt.logs) {
      logs.push({
        blockNumber,
        index: publicLogs + logs.length,
        transactionIndex: index,
        address,
        topics,
        data,
      });
    }
    return {
      blockNumber,
      index,
      hash,
      raw: transaction.raw,
      sender: transaction.sender,
      status: receipt.status,
      ...(receipt.contractAddress === undefined ? {} : { contractAddress: receipt.contractAddress }),
      returnData: receipt.status === 0 ? receipt.returnData : new Uint8Array(0),
      firstLog,
      logCount: receipt.logs.length,
      effects: { gasUsed: receipt.gasUsed, entered: receipt.entered },
    };
  });
  return { receipts, logs };
}
