import { keccakHash } from '@tetrad/crypto';
import { encodeReceipt, logsBloom, mergeBlooms } from '@tetrad/node-block';
import {
  InvalidTransactionError,
  applyOverrides,
  findAccount,
  orderedTrieRoot,
  overrideBlock,
  simulateTransaction,
  transactionGasCap,
  type BlockContext,
  type WorldState,
} from '@tetrad/node-execution';
import { encodeUnsigned, type TransactionFees } from '@tetrad/transactions';
import {
  RequestError,
  ZERO_ADDRESS,
  type Block,
  type BlockHeader,
  type Receipt,
  type SignedTransaction,
} from '@tetrad/types';
import { draftHeader } from '../draft-header.js';
import { forkFields } from '../header-fields.js';
import { blockTimes } from '../header-time.js';
import type { Ledger } from '../ledger.js';
import type { SimulationMeter } from './simulation-meter.js';
import {
  type SimulationPace,
  type BlockRequest,
  type SimulatedBlock,
  type SimulatedCall,
  type SimulatedOutcome,
  type SimulationOptions,
} from './simulated-block.js';

export interface SimulationBlockParts {
  readonly ledger: Ledger;
  /** Carries over from block to block. */
  readonly world: WorldState;
  readonly parent: Pick<Block, 'hash' | 'header'>;
  readonly findBlockHash: BlockContext['findBlockHash'];
  readonly meter: SimulationMeter;
  readonly pace: SimulationPace;
  readonly options: SimulationOptions;
}

/** One block of a simulation while its messages run. */
export class SimulationBlockRun {
  private readonly context: BlockContext;
  private readonly transactions: SignedTransaction[] = [];
  private readonly receipts: Receipt[] = [];
  private readonly outcomes: SimulatedOutcome[] = [];
  private gasUsed = 0n;

  constructor(
    private readonly parts: SimulationBlockParts,
    private readonly request: BlockRequest & { readonly number: number; readonly timestamp: bigint },
  ) {
    const { ledger, parent, findBlockHash } = parts;
    const { number } = request;
    const times = blockTimes(ledger.rules, request);
    const { baseFeePerGas } = forkFields(ledger.executor.rules({ number, timestamp: times.timestamp }));
    const { beneficiary, gasLimit, difficulty, mixHash } = parent.header;
    const feeRecipient = ledger.rules.feeRecipientOf({ number });
    const plain = {
      number,
      ...times,
      proposer: beneficiary,
      gasLimit,
      difficulty,
      mixHash,
      findBlockHash,
      ...(feeRecipient === undefined ? {} : { feeRecipient }),
    };
    // They include the time already, in both units.
    const overrides = { ...request.block, number, time: undefined };
    this.context = overrideBlock(
      baseFeePerGas === undefined ? plain : { ...plain, baseFeePerGas },
      overrides,
    );
  }

  async run(): Promise<SimulatedBlock> {
    const { world, pace } = this.parts;
    if (this.request.state !== undefined) await applyOverrides(world, this.request.state);
    for (const call of this.request.calls) {
      await pace.giveWay();
      await this.add(call);
    }
    const header = await this.header();
    const block = {
      hash: this.parts.ledger.rules.hashHeader(header),
      header,
      transactions: this.transactions,
    };
    return { block, outcomes: this.outcomes };
  }

  private async add(call: SimulatedCall): Promise<void> {
    const { ledger, world, meter, options } = this.parts;
    const transaction = await this.transactionOf(call);
    const { validation, traceTransfers, admission } = options;
    const simulation = { executor: ledger.executor, block: this.context, world, ...admission };
    const effects = await simulateTransaction(simulation, transaction, { validation, traceTransfers }).catch(
      refuse,
    );
    this.gasUsed += effects.gasUsed;
    const { status, gasUsed, logs, returnData, failure } = effects;
    const outcome = { status, gasUsed, logs, returnData, failure };
    meter.spend(outcome);
    this.outcomes.push(outcome);
    this.transactions.push(transaction);
    this.receipts.push({
      type: transaction.type,
      status,
      gasUsed,
      logs,
      logsBloom: logsBloom(logs),
      cumulativeGasUsed: this.gasUsed,
    });
  }

  /** The message as an unsigned transaction. */
  private async transactionOf(call: SimulatedCall): Promise<SignedTransaction> {
    const { ledger, world } = this.parts;
    const sender = call.from ?? ZERO_ADDRESS;
    const nonce = call.nonce ?? (await findAccount(world, sender))?.nonce ?? 0n;
    const { chainId } = ledger.genesis;
    const to = call.to === undefined ? {} : { to: call.to };
    const plain = { chainId, nonce, gasLimit: this.gasOf(call), ...to, value: call.value ?? 0n };
    const fees = this.feesOf(call);
    const data = call.data ?? new Uint8Array(0);
    const raw = encodeUnsigned({ ...plain, data, fees });
    return { ...plain, ...fees, data, sender, raw, hash: keccakHash(raw), v: 0n, r: 0n, s: 0n };
  }

  /** The requested gas, or the rest of the block; at most the rest of the simulation. */
  private gasOf({ gas }: SimulatedCall): bigint {
    const { meter, options, ledger } = this.parts;
    meter.assertGasLeft();
    const left = this.context.gasLimit - this.gasUsed;
    if (gas !== undefined && gas > left)
      throw new RequestError(
        'SIMULATION_GAS_LIMIT_REACHED',
        `block gas limit reached: ${this.gasUsed + gas} >= ${this.context.gasLimit}`,
      );
    const cap = options.validation ? transactionGasCap(ledger.executor.rules(this.context)) : undefined;
    const wanted = gas ?? (cap !== undefined && left > cap ? cap : left);
    return wanted < meter.gasLeft ? wanted : meter.gasLeft;
  }

  private feesOf(call: SimulatedCall): TransactionFees {
    const { gasPrice = 0n, maxFeePerGas, maxPriorityFeePerGas = 0n, accessList = [] } = call;
    const rules = this.parts.ledger.executor.rules(this.context);
    if (call.gasPrice === undefined && rules.has('london'))
      return {
        type: 'dynamicFee',
        maxFeePerGas: maxFeePerGas ?? maxPriorityFeePerGas + this.defaultBaseFee(),
        maxPriorityFeePerGas,
        accessList,
      };
    return accessList.length > 0
      ? { type: 'accessList', gasPrice, accessList }
      : { type: 'legacy', gasPrice };
  }

  /** With validation a message that names no fee pays the base fee; without it nothing. */
  private defaultBaseFee(): bigint {
    return this.parts.options.validation ? (this.context.baseFeePerGas ?? 0n) : 0n;
  }

  private async header(): Promise<BlockHeader> {
    const { ledger, world, parent, pace } = this.parts;
    const { context, receipts, transactions } = this;
    const { stateRoot } = await world.commitBlock(() => pace.giveWay());
    const blooms = receipts.filter(({ logs }) => logs.length > 0).map((receipt) => receipt.logsBloom);
    return draftHeader({
      parentHash: parent.hash,
      timestamp: this.request.timestamp,
      block: context,
      fork: ledger.executor.rules(context),
      commitments: {
        stateRoot,
        transactionsRoot: orderedTrieRoot(transactions.map(({ raw }) => raw)),
        receiptsRoot: orderedTrieRoot(receipts.map(encodeReceipt)),
        logsBloom: mergeBlooms(blooms),
        gasUsed: this.gasUsed,
      },
    });
  }
}

/** Reasons of the Ethereum execution API for transactions that cannot be part of a block. */
const REASONS: Readonly<Partial<Record<InvalidTransactionError['code'], string>>> = {
  NONCE_TOO_LOW: 'SIMULATION_NONCE_TOO_LOW',
  NONCE_TOO_HIGH: 'SIMULATION_NONCE_TOO_HIGH',
  FEE_CAP_TOO_LOW: 'SIMULATION_FEE_TOO_LOW',
  INTRINSIC_GAS_TOO_LOW: 'SIMULATION_INTRINSIC_GAS',
  INSUFFICIENT_FUNDS: 'SIMULATION_INSUFFICIENT_FUNDS',
  GAS_LIMIT_EXCEEDED: 'SIMULATION_GAS_LIMIT_REACHED',
  SENDER_NOT_EOA: 'SIMULATION_SENDER_NOT_EOA',
  INIT_CODE_TOO_LARGE: 'SIMULATION_INIT_CODE_TOO_LARGE',
};

function refuse(error: unknown): never {
  if (error instanceof InvalidTransactionError)
    throw new RequestError(REASONS[error.code] ?? 'EXECUTION_FAILED', error.message);
  throw error;
}
