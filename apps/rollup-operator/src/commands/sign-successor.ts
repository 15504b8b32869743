import { RollupContract, signStatement, statementJson } from '@tetrad/rollup-client';
import { defineOptions, integerOption, option, type ConfigOf } from '@tetrad/service';
import { OperatorError, parseAddress, silentLogger } from '@tetrad/types';
import { chainOptions } from '../chain-options.js';
import { identityOptions } from '../config.js';
import { openChain } from '../open-chain.js';
import { openSubmitter } from '../open-submitter.js';
import { contractOption } from '../option-types.js';

const SUCCESSOR = 'Successor';
const DAY_SECONDS = 86_400;
const { contract } = identityOptions;

export const signSuccessorOptions = defineOptions({
  ...chainOptions,
  contract,
  successor: option(contractOption(), {
    group: SUCCESSOR,
    description: 'The rollup contract on the same chain to which holders of --contract are to move.',
    required: true,
  }),
  validDays: option(integerOption({ min: 1, max: 3_650 }), {
    group: SUCCESSOR,
    description: 'For how many days the statement is good.',
    default: 90,
  }),
});

export type SignSuccessorConfig = ConfigOf<typeof signSuccessorOptions>;

/**
 * Signs a statement that another contract follows the rollup, as its operator. Nothing is sent.
 *
 * @param config - options; the submitter is the operator
 * @returns the statement, which holders give to `./tetrad rollup move --statement`
 * @throws OperatorError when the account is not the operator, or the successor is no other rollup of the chain; as `openSubmitter`
 */
export async function signSuccessor(config: SignSuccessorConfig): Promise<object> {
  const { contract: address, successor, validDays } = config;
  if (successor === address) throw new OperatorError('--successor: must be another contract than --contract');
  const submitter = await openSubmitter(config, silentLogger);
  const client = openChain(config, silentLogger);
  try {
    const rollup = await RollupContract.open(client, address);
    const operator = parseAddress(String((await rollup.values('operator', []))[0]));
    if (operator !== submitter.key.address)
      throw new OperatorError(
        `--submitter-key-file: its account is ${submitter.key.address}, and the operator of the rollup is ${operator}`,
      );
    await RollupContract.open(client, successor);
    const [chainId, { timestamp }] = await Promise.all([client.chainId(), client.head()]);
    const deadline = timestamp + validDays * DAY_SECONDS;
    const statement = { chainId, contract: address, successor, deadline };
    return statementJson(await signStatement(statement, (digest) => submitter.key.sign(digest)));
  } finally {
    submitter.close();
    await client.close();
  }
}
