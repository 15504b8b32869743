import type { PublicInputs } from '@tetrad/rollup-circuits';
import { operationHeader } from '@tetrad/rollup-circuits';
import { addressFromBytes, bytesFromScalar, parseAddress, type Address, type Hex } from '@tetrad/types';
import { Interface, type Result } from 'ethers/abi';
import { loadContract } from './artifact.js';
import { decodeOperations, encodeOperations, type PublishedOperations } from './batch-operations.js';
import { BATCH_LAYOUT, FIRST_LAYOUT, type BatchLayout } from './batch-layout.js';

/** The submitted and published data of a batch. */
export interface PublishedBatch extends PublishedOperations {
  readonly nextStateRoot: bigint;
  readonly ordersRoot: bigint;
  readonly ciphertextCommitment: bigint;
}

export interface AcceptedBatch extends PublishedBatch {
  readonly kind: 'batch';
  readonly height: number;
  readonly submitter: Address;
}

export interface RegisteredTransfer {
  readonly kind: 'inbound';
  readonly index: number;
  readonly accountId: number;
  readonly tokenId: number;
  readonly amount: bigint;
  readonly from: Address;
}

/** A payment of the contract that happened, or that the recipient has to fetch. */
export interface Payment {
  readonly kind: 'paid' | 'owed';
  readonly recipient: Address;
  readonly tokenId: number;
  readonly amount: bigint;
}

export interface RequestedTransfer {
  readonly kind: 'requested';
  readonly accountId: number;
  readonly recipient: Address;
  readonly tokenId: number;
  readonly amount: bigint;
  /** Unix time in seconds. */
  readonly overdueAt: number;
}

export interface AddedToken {
  readonly kind: 'token';
  readonly tokenId: number;
  readonly token: Address;
  readonly unit: bigint;
}

export type RollupEvent = AcceptedBatch | RegisteredTransfer | Payment | RequestedTransfer | AddedToken;

/** In: what the circuit proves, and the words that it proves the commitment of. */
export function publishedBatch(
  inputs: PublicInputs,
  ciphertexts: readonly (readonly bigint[])[],
): PublishedBatch {
  const { operations } = inputs;
  return {
    nextStateRoot: inputs.nextStateRoot,
    ordersRoot: inputs.ordersRoot,
    ciphertextCommitment: inputs.ciphertexts.commitment,
    headers: operations.map(operationHeader),
    recipients: operations.map(({ toAddress }) => addressOf(toAddress)),
    leaves: operations.map(({ leaf }) => leaf),
    orders: operations.map(({ order }) => order),
    ciphertexts: ciphertexts.flat(),
  };
}

function addressOf(word: bigint): Address {
  const bytes = bytesFromScalar(word);
  return addressFromBytes(Uint8Array.from([...new Uint8Array(20 - bytes.length), ...bytes]));
}

/** Calls and events of Rollup.sol as bytes. */
export class RollupCodec {
  private constructor(readonly abi: Interface) {}

  /** Fails: ArtifactError when the build has not compiled the contract. */
  static async load(): Promise<RollupCodec> {
    return new RollupCodec(new Interface((await loadContract('Rollup')).abi));
  }

  /** In: layout — that of the contract (RollupReader.batchLayout) */
  encodeSubmitBatch(batch: PublishedBatch, proof: Uint8Array, layout: BatchLayout = BATCH_LAYOUT): Hex {
    if (layout === 1) return FIRST_LAYOUT.encodeFunctionData('submitBatch', [batch, proof]) as Hex;
    const written = { ...batch, size: batch.headers.length, operations: encodeOperations(batch) };
    return this.abi.encodeFunctionData('submitBatch', [written, proof]) as Hex;
  }

  /** Data of any other call. */
  encodeCall(name: string, values: readonly unknown[]): Hex {
    return this.abi.encodeFunctionData(name, values) as Hex;
  }

  decodeResult(name: string, data: Hex): Result {
    return this.abi.decodeFunctionResult(name, data);
  }

  /** Name of the error that a call was reverted with; undefined when it is not one of the contract's. */
  errorName(data: Hex): string | undefined {
    return this.abi.parseError(data)?.name;
  }

  /** First topic of the events of accepted batches, of a contract with the present layout. */
  get batchTopic(): Hex {
    return this.batchTopicOf(BATCH_LAYOUT);
  }

  batchTopicOf(layout: BatchLayout): Hex {
    const abi = layout === 1 ? FIRST_LAYOUT : this.abi;
    return abi.getEvent('TransactionBatchAccepted')?.topicHash as Hex;
  }

  /**
   * In: a log of the contract, of either layout, from a client that is trusted. Out: undefined for a log that says nothing about the
   * state
   */
  parseLog(log: { readonly topics: readonly string[]; readonly data: string }): RollupEvent | undefined {
    const parsed = this.abi.parseLog(log) ?? FIRST_LAYOUT.parseLog(log);
    return parsed === null ? undefined : readers[parsed.name]?.(parsed.args);
  }
}

const readers: Readonly<Record<string, (values: Result) => RollupEvent>> = {
  TransactionBatchAccepted: ([height, , submitter, batch]) => ({
    kind: 'batch',
    height: Number(height),
    submitter: parseAddress(submitter),
    nextStateRoot: batch.nextStateRoot,
    ordersRoot: batch.ordersRoot,
    ciphertextCommitment: batch.ciphertextCommitment,
    ...operationsOf(batch),
  }),
  InboundTransferRegistered: ([index, accountId, tokenId, amount, from]) => ({
    ...{ kind: 'inbound', index: Number(index), accountId: Number(accountId) },
    ...{ tokenId: Number(tokenId), amount, from: parseAddress(from) },
  }),
  OutboundTransferPaid: (values) => payment('paid', values),
  OutboundTransferOwed: (values) => payment('owed', values),
  OutboundTransferRequested: ([accountId, recipient, tokenId, amount, overdueAt]) => ({
    ...{ kind: 'requested', accountId: Number(accountId), recipient: parseAddress(recipient) },
    ...{ tokenId: Number(tokenId), amount, overdueAt: Number(overdueAt) },
  }),
  TokenAdded: ([tokenId, token, unit]) => ({
    ...{ kind: 'token', tokenId: Number(tokenId), token: parseAddress(token), unit },
  }),
};

/** Lists in the first layout, bytes since. */
function operationsOf(batch: Result): PublishedOperations {
  if ('operations' in batch.toObject()) return decodeOperations(batch['operations'], Number(batch['size']));
  const { headers, recipients, leaves, orders, ciphertexts } = batch;
  return {
    headers: [...headers],
    recipients: [...recipients].map(parseAddress),
    leaves: [...leaves],
    orders: [...orders],
    ciphertexts: [...ciphertexts],
  };
}

function payment(kind: Payment['kind'], [recipient, tokenId, amount]: Result): Payment {
  return { kind, recipient: parseAddress(recipient), tokenId: Number(tokenId), amount };
}
