import { RollupCodec, RollupReader, type EthereumClient } from '@tetrad/rollup-chain';
import { RollupContract } from '@tetrad/rollup-client';
import { defineOptions, durationOption, option, type ConfigOf } from '@tetrad/service';
import { OperatorError, silentLogger, type Address, type Hash } from '@tetrad/types';
import { chainOptions } from '../chain-options.js';
import { identityOptions } from '../config.js';
import { openChain } from '../open-chain.js';
import { openSubmitter } from '../open-submitter.js';
import { contractOption } from '../option-types.js';

const OPERATOR = 'Operator';
const { contract } = identityOptions;

export const acceptOperatorOptions = defineOptions({
  ...chainOptions,
  contract,
  operatorTimeout: option(durationOption({ min: 1_000 }), {
    group: OPERATOR,
    description: 'Time limit for the transaction.',
    default: 300_000,
  }),
});

export const proposeOperatorOptions = defineOptions({
  ...acceptOperatorOptions,
  nextOperator: option(contractOption(), {
    group: OPERATOR,
    description:
      'Ethereum account that may take over, which it does by accept-operator; the present operator withdraws an earlier proposal by its own.',
    required: true,
  }),
});

export type AcceptOperatorConfig = ConfigOf<typeof acceptOperatorOptions>;
export type ProposeOperatorConfig = ConfigOf<typeof proposeOperatorOptions>;

/** Who submits batches, and who may take over. */
export interface OperatorChange {
  readonly operator: Address;
  /** Null without a proposal. */
  readonly proposedOperator: Address | null;
  /** Null when nothing was left to do. */
  readonly transactionHash: Hash | null;
}

/**
 * Names the account that may become the operator of the contract. Run again after an interruption, it proposes nothing twice.
 *
 * @param config - options; the submitter is the operator
 * @returns the contract afterwards
 * @throws OperatorError for a contract that changes its operator at once, or one that refuses; as `openSubmitter`
 */
export function proposeOperator(config: ProposeOperatorConfig): Promise<OperatorChange> {
  const { nextOperator } = config;
  return change(config, {
    isDone: ({ proposed }) => proposed === nextOperator,
    call: 'proposeOperator',
    values: [nextOperator],
  });
}

/**
 * Takes over as the operator of the contract. Run again after an interruption, it does nothing.
 *
 * @param config - options; the submitter is who was proposed
 * @returns the contract afterwards
 * @throws as `proposeOperator`
 */
export function acceptOperator(config: AcceptOperatorConfig): Promise<OperatorChange> {
  return change(config, {
    isDone: ({ operator, sender }) => operator === sender,
    call: 'acceptOperator',
    values: [],
  });
}

interface Operators {
  readonly operator: Address;
  readonly proposed: Address | undefined;
}

interface Step {
  readonly call: string;
  readonly values: readonly unknown[];
  isDone(now: Operators & { readonly sender: Address }): boolean;
}

async function change(config: AcceptOperatorConfig, { call, values, isDone }: Step): Promise<OperatorChange> {
  const submitter = await openSubmitter(config, silentLogger);
  const sender = submitter.key.address;
  const client = openChain(config, silentLogger);
  try {
    const before = await readOperators(client, config.contract);
    if (isDone({ ...before, sender })) return reportOf(before, null);
    const rollup = await RollupContract.open(client, config.contract);
    const options = { key: submitter.key, timeoutMs: config.operatorTimeout };
    const { transactionHash } = await rollup.send(call, values, options);
    return reportOf(await readOperators(client, config.contract), transactionHash);
  } finally {
    submitter.close();
    await client.close();
  }
}

async function readOperators(client: EthereumClient, address: Address): Promise<Operators> {
  const reader = new RollupReader(client, new RollupCodec(), address);
  const { operator } = await reader.constants();
  if ((await reader.exitRules()) === 'turns')
    throw new OperatorError(
      `--contract: the rollup at ${address} is of an earlier version, whose operator is changed at once by its function setOperator`,
    );
  return { operator, proposed: await reader.proposedOperator() };
}

function reportOf({ operator, proposed }: Operators, transactionHash: Hash | null): OperatorChange {
  return { operator, proposedOperator: proposed ?? null, transactionHash };
}
