import { join } from 'node:path';
import { decodeBlock } from '@tetrad/node-block';
import { hashHeader } from '@tetrad/node-consensus-bft';
import { decodeTransaction } from '@tetrad/node-execution';
import type { PreState } from '@tetrad/node-evm';
import { RecordedChain } from '@tetrad/testkit';
import { hexFromBytes, parseHash, parsePtmKey, type Block, type Hash } from '@tetrad/types';
import {
  payloadHash,
  type PayloadAnswer,
  type PayloadHash,
  type PayloadSource,
  type PrivacyFlag,
  type SharedStates,
} from '../src/index.js';

const chainOf = (name: string) => new RecordedChain(join(import.meta.dirname, '../vectors'), name);
export const CHAIN_ID = 1337n;

/** Response of a node's manager to a request for a transaction. */
export interface ManagerAnswer {
  readonly status: number;
  readonly body: string;
}

export interface RpcAnswer<T> {
  readonly result?: T;
  readonly error?: { readonly message: string };
}

export interface RecordedReceipt {
  readonly status: string;
  readonly contractAddress: string | null;
  readonly logsBloom: string;
  readonly logs: readonly { address: string; topics: string[]; data: string }[];
}

/** A step as the three nodes saw it, in their order. */
export interface Step {
  readonly name: string;
  /** Arguments of eth_sendTransaction. */
  readonly args?: Readonly<Record<string, unknown>>;
  readonly hash?: Hash;
  readonly block?: string;
  readonly transaction?: { readonly input: string };
  readonly receipts?: readonly RecordedReceipt[];
  readonly manager?: readonly ManagerAnswer[];
  readonly private?: readonly {
    byHash: RpcAnswer<Readonly<Record<string, unknown>> | null>;
    receipt: RpcAnswer<RecordedReceipt | null>;
  }[];
  readonly innerHash?: string;
  readonly innerManager?: readonly ManagerAnswer[];
  /** Responses of eth_getChainPayload for the data of the transaction. */
  readonly payloads?: readonly RpcAnswer<string>[];
  /** Results of the function of the contract after the step. */
  readonly values?: readonly RpcAnswer<string>[];
  readonly address?: string;
  /** Bytes of the code at the address. */
  readonly codeLength?: readonly number[];
  readonly metadata?: readonly RpcAnswer<{ creationTxHash: string; privacyFlag: PrivacyFlag }>[];
  readonly storageRoot?: readonly RpcAnswer<Hash>[];
}

export interface Recording {
  readonly steps: readonly Step[];
  readonly blocks: readonly {
    readonly number: number;
    readonly stateRoot: Hash;
    readonly privateRoots: readonly Hash[];
  }[];
}

export function recording(name: string): Recording {
  return chainOf(name).recording() as Recording;
}

/** The file that the nodes were started with. */
export function genesisFile(name: string): unknown {
  return chainOf(name).genesisFile();
}

export function genesisState(name: string): PreState {
  const { alloc } = genesisFile(name) as { alloc: PreState };
  return Object.fromEntries(
    Object.entries(alloc).map(([address, { balance = '0x0', ...rest }]) => [
      address.startsWith('0x') ? address : `0x${address}`,
      { ...rest, balance: `0x${BigInt(balance).toString(16)}` },
    ]),
  );
}

export function recordedBlocks(name: string): Promise<Block[]> {
  const decode = (raw: Uint8Array) => decodeTransaction(raw, CHAIN_ID);
  const blocks = chainOf(name).encodedBlocks();
  return Promise.all(blocks.map((encoded) => decodeBlock(encoded, { hashHeader, decode })));
}

/** A manager that knows what one of the recorded managers knew. */
export function recordedManager(steps: readonly Step[], node: number): PayloadSource {
  const answers = new Map<PayloadHash, PayloadAnswer>();
  const add = (hash: string | undefined, answer: ManagerAnswer | undefined) => {
    if (hash === undefined || answer === undefined) return;
    answers.set(payloadHash(Buffer.from(hash.slice(2), 'hex')), payloadAnswer(answer));
  };
  for (const { transaction, manager, innerHash, innerManager } of steps) {
    add(transaction?.input, manager?.[node]);
    add(innerHash, innerManager?.[node]);
  }
  return {
    find: async (hash) => answers.get(hash) ?? { kind: 'unavailable', reason: `not recorded: ${hash}` },
  };
}

function payloadAnswer({ status, body }: ManagerAnswer): PayloadAnswer {
  if (status !== 200) return { kind: 'notParty' };
  const answer = JSON.parse(body) as {
    payload: string;
    affectedContractTransactions?: string[];
    execHash?: string;
    privacyFlag: PrivacyFlag;
    senderKey: string;
    managedParties: string[];
  };
  const affected = (answer.affectedContractTransactions ?? []).map((text) =>
    payloadHash(Buffer.from(text, 'base64')),
  );
  const root = Buffer.from(answer.execHash ?? '', 'base64');
  return {
    kind: 'payload',
    payload: {
      data: Buffer.from(answer.payload, 'base64'),
      privacyFlag: answer.privacyFlag,
      affectedCreations: new Set(affected),
      ...(root.length === 0 ? {} : { executionRoot: parseHash(hexFromBytes(root)) }),
      sender: parsePtmKey(answer.senderKey),
      managedParties: answer.managedParties.map(parsePtmKey),
    },
  };
}

/** For the recorded chains, on which no contract is extended. */
export const NO_SHARED_STATES: SharedStates = {
  isOwnVote: async () => ({ kind: 'known', value: false }),
  findState: async () => ({ kind: 'known', value: undefined }),
  partiesOf: async () => ({ kind: 'known', value: [] }),
};
