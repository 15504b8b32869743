import type { Hash, Hex } from '@tetrad/types';
import { Interface, type EventFragment, type Result } from 'ethers/abi';
import { isError } from 'ethers/utils';
import { encodeOperations } from './batch-operations.js';
import { BATCH_LAYOUT, FIRST_LAYOUT, type BatchLayout } from './batch-layout.js';
import { EARLIER_PROOFS_ABI, isEarlierProof } from './earlier-proofs-abi.js';
import type { PublishedBatch } from './published-batch.js';
import { ROLLUP_ABI } from './rollup-abi.js';
import { eventReaders, type RollupEvent } from './rollup-events.js';
import { TURNS_ABI } from './turns-abi.js';

/** `0x` and the four bytes that an error begins with. */
const ERROR_CHARACTERS = 10;

const PRESENT = new Interface(ROLLUP_ABI);

interface KnownEvent {
  readonly abi: Interface;
  readonly event: EventFragment;
}

/** The events of all layouts by their first topic: the library hashes the names of an interface's events for each log that it parses. */
const EVENTS = knownEvents([PRESENT, FIRST_LAYOUT, EARLIER_PROOFS_ABI, TURNS_ABI]);

/** Of two with the same topic the first counts. */
function knownEvents(interfaces: readonly Interface[]): ReadonlyMap<string, KnownEvent> {
  const events = new Map<string, KnownEvent>();
  for (const abi of interfaces)
    abi.forEachEvent((event) => {
      if (!events.has(event.topicHash)) events.set(event.topicHash, { abi, event });
    });
  return events;
}

/** Calls and events of Rollup.sol as bytes. */
export class RollupCodec {
  readonly abi = PRESENT;

  /** @param layout - that of the contract (RollupReader.batchLayout) */
  encodeSubmitBatch(batch: PublishedBatch, proof: Uint8Array, layout: BatchLayout = BATCH_LAYOUT): Hex {
    if (layout === 1) return FIRST_LAYOUT.encodeFunctionData('submitBatch', [batch, proof]) as Hex;
    const written = { ...batch, size: batch.headers.length, operations: encodeOperations(batch) };
    return this.abi.encodeFunctionData('submitBatch', [written, proof]) as Hex;
  }

  /** Data of any other call, also of one that contracts with earlier exit rules have alone. */
  encodeCall(name: string, values: readonly unknown[]): Hex {
    const abi = isEarlierProof(name, values) ? EARLIER_PROOFS_ABI : this.abiOf(name);
    return abi.encodeFunctionData(name, values) as Hex;
  }

  decodeResult(name: string, data: Hex): Result {
    return this.abiOf(name).decodeFunctionResult(name, data);
  }

  /**
   * @param data - of a transaction, from anyone
   * @returns undefined for what is no call of the contract
   */
  parseCall(data: Hex): { readonly name: string; readonly values: Result } | undefined {
    try {
      const call = this.abi.parseTransaction({ data });
      return call === null ? undefined : { name: call.name, values: call.args };
    } catch (error) {
      // Values that cannot be read are of a call that the contract refused.
      if (isError(error, 'BUFFER_OVERRUN') || isError(error, 'INVALID_ARGUMENT')) return undefined;
      throw error;
    }
  }

  /** First topic of the event that ends a rollup. */
  get frozenTopic(): Hash {
    return this.abi.getEvent('Frozen')?.topicHash as Hash;
  }

  private abiOf(name: string): Interface {
    return this.abi.hasFunction(name) ? this.abi : TURNS_ABI;
  }

  /** Name of the error that a call was reverted with; undefined when it is not one of the contract's. */
  errorName(data: Hex): string | undefined {
    if (data.length < ERROR_CHARACTERS) return undefined;
    return (this.abi.parseError(data) ?? TURNS_ABI.parseError(data))?.name;
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
   * @param log - a log of the contract, of any layout and with either kind of proofs, from a client that is trusted
   * @returns undefined for a log that says nothing about the state
   */
  parseLog(log: { readonly topics: readonly string[]; readonly data: string }): RollupEvent | undefined {
    const known = EVENTS.get(log.topics[0]?.toLowerCase() ?? '');
    if (known === undefined) return undefined;
    const { abi, event } = known;
    return eventReaders[event.name]?.(abi.decodeEventLog(event, log.data, log.topics));
  }
}
