import { randomUUID } from 'node:crypto';
import {
  BATCHER_LEASE,
  ContractPages,
  readConsents,
  rebuildRows,
  type RebuiltRows,
} from '@tetrad/rollup-batcher';
import { ContractFollower, RollupCodec, RollupReader } from '@tetrad/rollup-chain';
import { encodePoint, encodeWord, multiplyGenerator } from '@tetrad/rollup-crypto';
import { Sequencer } from '@tetrad/rollup-sequencer';
import { defineOptions, type ConfigOf } from '@tetrad/service';
import { OperatorError, hexFromBytes, silentLogger, silentMetrics } from '@tetrad/types';
import { isPresentKey } from '../assert-contract.js';
import { batchOptions, chainOptions } from '../chain-options.js';
import { identityOptions, storageOptions } from '../config.js';
import { openChain } from '../open-chain.js';
import { openOperatorSecrets } from '../open-operator-secret.js';
import { openRollup } from '../open-rollup.js';

const { contractBlock, blocksToFinalization, ...otherBatchOptions } = batchOptions;
const { operatorKeyFile, operatorKeyPasswordFile, formerOperatorKeyFiles } = otherBatchOptions;
const { chainUrl, chainTokenFile, chainRequestTimeout } = chainOptions;

export const rebuildOptions = defineOptions({
  ...storageOptions,
  ...identityOptions,
  chainUrl,
  chainTokenFile,
  chainRequestTimeout,
  contractBlock,
  blocksToFinalization,
  operatorKeyFile,
  operatorKeyPasswordFile,
  formerOperatorKeyFiles,
});

type RebuildConfig = ConfigOf<typeof rebuildOptions>;

/** What is printed of the rows afterwards. */
interface Report extends Omit<RebuiltRows, 'stateRoot'> {
  readonly stateRoot: string;
}

/** Pages of blocks between two lines of progress. */
const PROGRESS_PAGES = 10;

/**
 * Fills the database of an operator from the chain and its key file.
 * @throws OperatorError, also when the rows do not end at the root of the contract, or accounts have consents that are
 *   not open; as `openRollup` and `rebuildRows`
 */
export async function rebuild(config: RebuildConfig): Promise<Report> {
  const operatorSecrets = await openOperatorSecrets(config);
  const client = openChain(config, silentLogger);
  const quiet = { logger: silentLogger, metrics: silentMetrics };
  const rollup = await openRollup(config, quiet, { formerSecrets: operatorSecrets.slice(1) });
  try {
    const { database, store, domain } = rollup;
    const { contract, batchSize } = config;
    const codec = new RollupCodec();
    const reader = new RollupReader(client, codec, contract);
    await assertKey(reader, { config, operatorSecrets });
    await store.changeOperatorKey(config.operatorKey);
    const sequencer = new Sequencer(store, {
      domain,
      batchSize,
      operatorSecrets,
      hasConsents: () => readConsents(reader, store),
    });
    const pages = new ContractPages({ store, sequencer, logger: silentLogger });
    const follower = new ContractFollower(client, codec, pages, {
      contract,
      firstBlock: config.contractBlock,
      confirmations: config.blocksToFinalization,
    });
    const claim = { name: BATCHER_LEASE, holder: randomUUID() };
    const rebuilt = await rebuildRows({ database, store, follower, reader, claim, onPage: progress() });
    if (!rebuilt.isSame)
      throw new OperatorError(
        `the rows end at batch ${rebuilt.height} with another root than the contract; is --contract-block after its creation?`,
      );
    if (rebuilt.closedConsents > 0) throw closedConsents(rebuilt.closedConsents);
    return { ...rebuilt, stateRoot: hexFromBytes(encodeWord(rebuilt.stateRoot)) };
  } finally {
    await rollup.close();
    await client.close();
  }
}

/** What was credited to such an account after it has proved its state for a request cannot be read, and the request not be served. */
function closedConsents(count: number): OperatorError {
  return new OperatorError(
    `${count} accounts have consents that the operator's keys do not open: what they ask the contract for may not be served, which freezes it. Give all --former-operator-key-files, or do not take the contract over`,
  );
}

/** With another key nothing could be read; accounts that were made with a key that is not given are opaque. */
async function assertKey(
  reader: RollupReader,
  {
    config,
    operatorSecrets,
  }: { readonly config: RebuildConfig; readonly operatorSecrets: readonly bigint[] },
): Promise<void> {
  const { operatorKeys, chainId } = await reader.constants();
  if (chainId !== BigInt(config.chainId))
    throw new OperatorError(`the Ethereum client is on chain ${chainId}, not ${config.chainId}`);
  if (!isPresentKey(operatorKeys, config.operatorKey))
    throw new OperatorError(`the contract at ${config.contract} has another operator key`);
  const held = operatorSecrets.map((secret) => multiplyGenerator(secret).x);
  for (const key of operatorKeys.filter(({ x }) => !held.includes(x)))
    process.stderr.write(
      `no file in --former-operator-key-files is of the key ${hexFromBytes(encodePoint(key))}: accounts that were made with it are opaque\n`,
    );
}

function progress(): (height: number) => void {
  let pages = 0;
  return (height) => {
    pages += 1;
    if (pages % PROGRESS_PAGES === 0) process.stderr.write(`batch ${height}\n`);
  };
}
