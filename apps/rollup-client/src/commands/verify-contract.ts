import {
  connectEthereum,
  freezeText,
  readPresentState,
  verifyContract,
  type PresentState,
  type VerifiedContract,
} from '@tetrad/rollup-client';
import { encodePoint } from '@tetrad/rollup-crypto';
import { defineOptions } from '@tetrad/service';
import { hexFromBytes } from '@tetrad/types';
import { chainOptions, jsonOptions } from '../options.js';
import { jsonText } from '../record-text.js';
import { EXIT, defineCommand } from './define-command.js';

export const verifyContractCommand = defineCommand({
  name: 'verify-contract',
  usage: '--contract ADDRESS [options]',
  words: [0, 0],
  summary:
    'Compares the contract, how it was created, its libraries and every verifier with those of the release, and prints its terms; fails with what differs.',
  options: defineOptions({ ...chainOptions, ...jsonOptions }),
  async run({ config, terminal }) {
    const client = connectEthereum(config.chainUrl.href);
    try {
      const verified = await verifyContract(client, config.contract, { fromBlock: config.fromBlock });
      const now = await readPresentState(client, config.contract, config.fromBlock);
      if (config.json) terminal.say(jsonText({ ...verified, ...now, operatorKeys: keysOf(now) }));
      else for (const line of describe(verified, now)) terminal.say(line);
      for (const doubt of verified.doubts) terminal.warn(doubt);
      return EXIT.done;
    } finally {
      await client.close();
    }
  },
});

const keysOf = ({ operatorKeys }: PresentState) => operatorKeys.map((key) => hexFromBytes(encodePoint(key)));

function describe(verified: VerifiedContract, now: PresentState): string[] {
  const { address, chainId, version, verifiers, terms, creationBlock, blockNumber, blockHash } = verified;
  return [
    `the contract at ${address} of chain ${chainId} is the one of this release (${version}): code, creation, libraries`,
    ...verifiers.map(
      ({ size, address: verifier, kind, verificationKey }) =>
        `batches of ${size}: ${kind} verifier at ${verifier}, key ${verificationKey}`,
    ),
    `operator ${now.operator}, which has announced ${now.operatorKeys.length} encryption keys`,
    ...(now.proposedOperator === undefined ? [] : [`${now.proposedOperator} may take over as operator`]),
    ...describeTerms(terms),
    ...(now.isFrozen ? ['it is frozen: it takes no deposits, and holders withdraw'] : []),
    ...(now.freeze === undefined ? [] : [freezeText(now.freeze)]),
    `created in block ${creationBlock}, ${blockNumber - creationBlock} blocks before`,
    `so says the client at block ${blockNumber}, ${blockHash}`,
  ];
}

function describeTerms(terms: VerifiedContract['terms']): string[] {
  const { stallTimeout, requestsPerTimeout, depositsPerTimeout, turnBlocks, etherUnit, minDeposit } = terms;
  const rates =
    turnBlocks === undefined
      ? `, with ${requestsPerTimeout} requests of each token and ${depositsPerTimeout} deposits in it`
      : `, then turns of ${turnBlocks} blocks`;
  return [
    `time-out ${stallTimeout} s${rates}`,
    `a unit is ${etherUnit} wei; deposits from ${minDeposit} units`,
  ];
}
