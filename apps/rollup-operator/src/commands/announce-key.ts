import { readAnnouncedKeys, type EthereumClient } from '@tetrad/rollup-chain';
import { RollupContract, openRollupKeyFile } from '@tetrad/rollup-client';
import { encodePoint, type Point } from '@tetrad/rollup-crypto';
import { defineOptions, durationOption, option, pathOption, type ConfigOf } from '@tetrad/service';
import { OperatorError, hexFromBytes, silentLogger, type Hash } from '@tetrad/types';
import { isPresentKey } from '../assert-contract.js';
import { chainOptions } from '../chain-options.js';
import { identityOptions } from '../config.js';
import { openChain } from '../open-chain.js';
import { openSubmitter } from '../open-submitter.js';
import { readPassword } from '../read-password.js';

const KEY = 'Key';
const { contract } = identityOptions;

export const announceKeyOptions = defineOptions({
  ...chainOptions,
  contract,
  operatorKeyFile: option(pathOption(), {
    group: KEY,
    description:
      'Key file of the new key, of the command new-key: a key that the operator does not hold is not announced.',
    required: true,
  }),
  operatorKeyPasswordFile: option(pathOption(), {
    group: KEY,
    description: 'File whose first line is the password of that file.',
    required: true,
  }),
  announceTimeout: option(durationOption({ min: 1_000 }), {
    group: KEY,
    description: 'Time limit for the transaction.',
    default: 300_000,
  }),
});

export type AnnounceKeyConfig = ConfigOf<typeof announceKeyOptions>;

/** The key that is in force, under the name of the operator's option. */
export interface AnnouncedKey {
  readonly operatorKey: string;
  /** Keys before it, of which accounts may be. */
  readonly formerOperatorKeys: readonly string[];
  /** Null when it was in force already. */
  readonly transactionHash: Hash | null;
}

/**
 * Announces a key that the operator holds, from the account that is the operator of the contract. Run again after an
 * interruption, it announces nothing twice.
 * @throws OperatorError for a contract of an earlier version, or one that refuses; as `openSubmitter`
 */
export async function announceKey(config: AnnounceKeyConfig): Promise<AnnouncedKey> {
  const password = await readPassword(config.operatorKeyPasswordFile);
  const { encryptionPoint: key } = await openRollupKeyFile(config.operatorKeyFile, password);
  const submitter = await openSubmitter(config, silentLogger);
  const client = openChain(config, silentLogger);
  try {
    const before = await announcedKeys(client, config);
    if (isPresentKey(before, key)) return reportOf(before, null);
    const rollup = await RollupContract.open(client, config.contract);
    const { transactionHash } = await rollup.send('announceOperatorKey', [[key.x, key.y]], {
      key: submitter.key,
      timeoutMs: config.announceTimeout,
    });
    return reportOf([...before, key], transactionHash);
  } finally {
    submitter.close();
    await client.close();
  }
}

async function announcedKeys(
  client: EthereumClient,
  { contract: address }: AnnounceKeyConfig,
): Promise<readonly Point[]> {
  const keys = await readAnnouncedKeys(client, address);
  if (keys === undefined)
    throw new OperatorError(
      `--contract: the rollup at ${address} is of an earlier version and keeps the operator key of its deployment`,
    );
  return keys;
}

function reportOf(keys: readonly Point[], transactionHash: Hash | null): AnnouncedKey {
  const written = keys.map((key) => hexFromBytes(encodePoint(key)));
  return {
    operatorKey: written.at(-1) as string,
    formerOperatorKeys: written.slice(0, -1),
    transactionHash,
  };
}
