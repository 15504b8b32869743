import type { MethodDefinition, MethodTable } from '@tetrad/rpc';

/** What a chain holds that can be asked about. */
export interface Asked {
  /** Hashes of transactions. */
  readonly transactions: readonly string[];
  readonly blocks: readonly { readonly hash: string; readonly number: string }[];
  readonly addresses: readonly string[];
  /** What transactions carry in place of payloads. */
  readonly payloads: readonly string[];
  /** Data of a call to each of the addresses. */
  readonly callData: string;
  readonly sender: string;
  /** Keys of managers. */
  readonly keys: readonly string[];
  readonly filters: readonly string[];
}

export interface Question {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Methods that change something, and answer with what their caller gave them, with a hash or a count. */
const WRITES = [
  /^(?:chainPermission|raft|miner)_/,
  /^chainExtension_(?:approve|cancel|extend|generate)/,
  /^admin_(?:add|allow|remove|repair)/,
  /^eth_(?:send|sign|resend|fill|distribute)\w*$/,
  /^eth_(?:uninstallFilter|subscribe|unsubscribe)/,
  /^eth_new/,
  /^eea_send/,
  /^ibft_(?:propose|discard)/,
  /^privacy_(?:compare|subscribe)/,
];

const TRACES = [
  { enableMemory: true, enableReturnData: true },
  { tracer: 'callTracer', tracerConfig: { withLog: true } },
  { tracer: 'prestateTracer' },
  { tracer: '4byteTracer' },
  { tracer: 'evmdisTracer' },
];

/** What is asked about the end of the chain alone; the others about each block. */
const STATE_READS =
  /^(?:eth_(?:call|estimateGas|createAccessList|simulateV1|storageRoot|get(?:Code|Balance|Proof|StorageAt|StorageValues|TransactionCount))|debug_(?:traceCall|dump\w+|accountRange))$/;

/** Parameters that no answer about private data depends on: their first example is asked. */
const FROM_EXAMPLES = new Set(['blockCount', 'newestBlock', 'rewardPercentiles', 'data', 'uncleIndex']);

/** Optional parameters that stay away, as one asks more without them. */
const LEFT_OUT = new Set([
  'stateOverrides',
  'blockOverrides',
  'start',
  'nocode',
  'nostorage',
  'incompletes',
  'startBlockNumber',
  'endBlockNumber',
  'end',
  'since',
  'before',
]);

/** Searches of the index by address take whole numbers; 0 is for all blocks. */
function blockNumbersOf(method: string, numbers: readonly string[]): readonly unknown[] {
  if (/^(?:ots_search|explorer_list)/.test(method)) return [0];
  return STATE_READS.test(method) ? ['latest'] : numbers;
}

/** Values of a parameter by its name, over all methods. */
function valuesOf(asked: Asked, method: string): Readonly<Record<string, readonly unknown[]>> {
  const numbers = asked.blocks.map(({ number }) => number);
  const hashes = asked.blocks.map(({ hash }) => hash);
  const calls = asked.addresses.map((to) => ({ from: asked.sender, to, data: asked.callData }));
  const blockCalls = [{ calls }];
  return {
    hash: asked.transactions,
    blockHash: hashes,
    block: STATE_READS.test(method) ? ['latest', 'pending'] : [...numbers, 'pending'],
    blockNumber: blockNumbersOf(method, numbers),
    transactionIndex: ['0x0'],
    hydrated: [true],
    address: [...asked.addresses, asked.sender],
    contract: asked.addresses,
    token: asked.addresses,
    managementContractAddress: asked.addresses,
    slot: ['0x0'],
    slots: [['0x0']],
    requests: [Object.fromEntries(asked.addresses.map((address) => [address, ['0x0']]))],
    start: method.endsWith('ByHash') ? hashes : numbers,
    keyStart: ['0x'],
    maxResults: [100],
    id: asked.payloads,
    options: TRACES,
    traceTypes: [['trace', 'stateDiff', 'vmTrace']],
    sender: [asked.sender],
    nonce: [0],
    pageNumber: [0],
    pageSize: [25],
    transaction: calls,
    simulation: [{ blockStateCalls: blockCalls, returnFullTransactions: true }],
    filter: [
      { fromBlock: '0x0', toBlock: 'latest' },
      ...asked.addresses.map((address) => ({ fromBlock: '0x0', address })),
    ],
    filterId: asked.filters,
    newRecipientPtmPublicKey: asked.keys,
    privateFrom: asked.keys.slice(0, 1),
    privateFor: [asked.keys.slice(1, 2)],
    privacyGroupId: asked.keys,
  };
}

/**
 * Everything that the methods can be asked about the chain: made from their definitions, so that a new method is asked too.
 * @throws Error for a parameter whose name has no values here
 */
export function readQuestions(methods: MethodTable, asked: Asked): Question[] {
  return Object.entries(methods)
    .filter(([method]) => !WRITES.some((pattern) => pattern.test(method)))
    .flatMap(([method, definition]) =>
      combinations(method, definition, asked).map((params) => ({ method, params })),
    );
}

function combinations(method: string, definition: MethodDefinition, asked: Asked): unknown[][] {
  const values = valuesOf(asked, method);
  let combined: unknown[][] = [[]];
  for (const [index, { name, optional }] of definition.params.entries()) {
    if (optional && LEFT_OUT.has(name)) break;
    const own = FROM_EXAMPLES.has(name) ? [definition.examples[0]?.params[index]] : values[name];
    if (own === undefined) throw new Error(`what to ask ${method} with as “${name}” is not known`);
    combined = combined.flatMap((before) => own.map((value) => [...before, value]));
  }
  return combined;
}
