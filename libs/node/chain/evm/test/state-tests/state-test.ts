import { addressFromPrivateKey, keccakHash } from '@tetrad/crypto';
import { encodeRlp } from '@tetrad/rlp';
import {
  ZERO_HASH,
  addressToBytes,
  bytesFromHex,
  hashToBytes,
  parseAddress,
  parseHash,
  type Log,
  type SignedTransaction,
} from '@tetrad/types';
import {
  CodeCache,
  InvalidTransactionError,
  Journal,
  World,
  executeTransaction,
  rulesOf,
  toWord,
  wordFromAddress,
  wordFromHash,
  MemorySource,
  type BlockContext,
  type ForkName,
  type Precompiles,
  type PreState,
  type StepListener,
  type TransactionEffects,
} from '../../src/index.js';

/** A file's test in the form that the published repositories document. */
export interface StateTest {
  readonly env: Readonly<Record<string, string>>;
  readonly pre: PreState;
  readonly transaction: {
    readonly data: readonly string[];
    readonly gasLimit: readonly string[];
    readonly value: readonly string[];
    readonly nonce: string;
    readonly to?: string;
    readonly secretKey: string;
    readonly gasPrice?: string;
    readonly maxFeePerGas?: string;
    readonly maxPriorityFeePerGas?: string;
    readonly accessLists?: readonly (readonly { address: string; storageKeys: readonly string[] }[] | null)[];
    readonly maxFeePerBlobGas?: string;
    readonly blobVersionedHashes?: readonly string[];
    readonly authorizationList?: readonly unknown[];
  };
  readonly post: Readonly<Record<string, readonly Post[]>>;
}

export interface Post {
  readonly hash: string;
  readonly logs: string;
  readonly indexes: { readonly data: number; readonly gas: number; readonly value: number };
  readonly expectException?: string;
}

/** Names of forks in the tests. */
export const FORKS: Readonly<Record<string, ForkName>> = {
  Frontier: 'chainstart',
  Homestead: 'homestead',
  EIP150: 'tangerineWhistle',
  EIP158: 'spuriousDragon',
  Byzantium: 'byzantium',
  Constantinople: 'constantinople',
  ConstantinopleFix: 'petersburg',
  Istanbul: 'istanbul',
  Berlin: 'berlin',
  London: 'london',
  Paris: 'paris',
  Shanghai: 'shanghai',
  Cancun: 'cancun',
  Prague: 'prague',
  Osaka: 'osaka',
};

/** Why cases are not run. */
export const LEFT_OUT = {
  gas: 'gas limit of 2^53 or more, which docs/adr/0088 refuses',
  blobs: 'blob transaction (type 3), which our chains refuse',
  setCode: 'set-code transaction (type 4), which our chains refuse',
  eof: 'EOF, which no fork has released',
  draft: 'draft of EIP-2537 with nine precompiles; Prague has seven, at other addresses',
} as const;

/** A quantity of at most 256 bits does not fit: no client could decode the transaction. */
class OversizedQuantityError extends Error {
  override readonly name = 'OversizedQuantityError';
}

/** A quantity of the files, which mark some of those that have 256 bits or more: `0x:bigint 0x1…`. */
function quantityOf(text: string): bigint {
  return BigInt(text.replace(/^0x:bigint /, ''));
}

/** @throws OversizedQuantityError above 256 bits */
function word(text: string): bigint {
  const quantity = quantityOf(text);
  if (quantity >= 2n ** 256n) throw new OversizedQuantityError(`${text} has more than 256 bits`);
  return quantity;
}

/** Why a case is not run, or undefined. */
export function leftOut(file: string, { transaction }: StateTest, { indexes }: Post): string | undefined {
  if (quantityOf(transaction.gasLimit[indexes.gas] as string) > Number.MAX_SAFE_INTEGER) return LEFT_OUT.gas;
  if (transaction.blobVersionedHashes !== undefined || transaction.maxFeePerBlobGas !== undefined)
    return LEFT_OUT.blobs;
  if (transaction.authorizationList !== undefined) return LEFT_OUT.setCode;
  if (/stEIP(3540|4200|4750|5450|663|6206|7480|7069|7620|7698)/.test(file)) return LEFT_OUT.eof;
  return file.includes('stEIP2537') ? LEFT_OUT.draft : undefined;
}

export interface StateTestResult {
  readonly root: string;
  readonly logs: string;
  readonly effects?: TransactionEffects;
  readonly invalid?: Error;
}

export interface StateTestOptions {
  readonly fork: ForkName;
  readonly post: Post;
  readonly precompiles: Precompiles;
  /** Whether every read is missing at first. */
  readonly cold?: boolean;
  readonly listener?: StepListener;
}

const codes = new CodeCache();

/** Runs one case and gives what the test compares. */
export async function runStateTest(
  test: StateTest,
  { fork, post, precompiles, cold, listener }: StateTestOptions,
): Promise<StateTestResult> {
  const source = new MemorySource(test.pre, cold);
  const world = new World(source, new Journal(), cold === true ? new CodeCache() : codes);
  const block = blockOf(test.env);
  const outcome = await attempt(async () => {
    const context = { fork, block, precompiles, ...(listener === undefined ? {} : { listener }) };
    return executeTransaction(context, transactionOf(test, post), world);
  });
  source.apply(world.changes());
  // The tests' clients pay the miner a reward of nothing, which is a touch.
  if (!rulesOf(fork).noEmptyAccounts) source.touch(block.coinbase);
  else removeIfEmpty(source, block);
  return { root: source.root, logs: logsHash(outcome.effects?.logs ?? []), ...outcome };
}

function removeIfEmpty(source: MemorySource, { coinbase }: BlockContext): void {
  const account = source.account(coinbase);
  if (
    account &&
    account.nonce === 0n &&
    account.balance === 0n &&
    account.codeHash === keccakHash(new Uint8Array(0))
  ) {
    source.remove(coinbase);
  }
}

async function attempt(
  run: () => Promise<TransactionEffects>,
): Promise<{ effects?: TransactionEffects; invalid?: Error }> {
  try {
    return { effects: await run() };
  } catch (error) {
    if (error instanceof InvalidTransactionError || error instanceof OversizedQuantityError)
      return { invalid: error };
    throw error;
  }
}

export function blockOf(env: Readonly<Record<string, string>>): BlockContext {
  return {
    number: Number(env['currentNumber']),
    timestamp: Number(env['currentTimestamp']),
    coinbase: wordFromAddress(parseAddress(env['currentCoinbase'] as string)),
    gasLimit: toWord(BigInt(env['currentGasLimit'] as string)),
    baseFee: toWord(BigInt(env['currentBaseFee'] ?? 0)),
    difficulty: toWord(BigInt(env['currentDifficulty'] ?? 0)),
    randomness: toWord(BigInt(env['currentRandom'] ?? 0)),
    blobBaseFee: 1,
    chainId: 1,
    // The tests' own rule for blocks that do not exist: the hash of the number's decimal digits.
    blockHash: (number) => wordFromHash(keccakHash(new TextEncoder().encode(String(number)))),
    fetch: async () => undefined,
  };
}

export function transactionOf({ transaction }: StateTest, { indexes }: Post): SignedTransaction {
  const accessList = transaction.accessLists?.[indexes.data] ?? undefined;
  const to = transaction.to;
  const shared = {
    hash: ZERO_HASH,
    sender: addressFromPrivateKey(bytesFromHex(transaction.secretKey)),
    raw: new Uint8Array(0),
    nonce: word(transaction.nonce),
    gasLimit: word(transaction.gasLimit[indexes.gas] as string),
    ...(to === undefined || to === '' ? {} : { to: parseAddress(to) }),
    value: word(transaction.value[indexes.value] as string),
    data: bytesFromHex(transaction.data[indexes.data] as string),
    v: 27n,
    r: 1n,
    s: 1n,
  };
  const entries = (accessList ?? []).map(({ address, storageKeys }) => ({
    address: parseAddress(address),
    storageKeys: storageKeys.map((key) => parseHash(`0x${BigInt(key).toString(16).padStart(64, '0')}`)),
  }));
  const gasPrice = word(transaction.gasPrice ?? '0x0');
  if (transaction.maxFeePerGas !== undefined) {
    const maxFeePerGas = word(transaction.maxFeePerGas);
    const maxPriorityFeePerGas = word(transaction.maxPriorityFeePerGas ?? '0x0');
    return { type: 'dynamicFee', ...shared, accessList: entries, maxFeePerGas, maxPriorityFeePerGas };
  }
  if (accessList === undefined) return { type: 'legacy', ...shared, gasPrice };
  return { type: 'accessList', ...shared, gasPrice, accessList: entries };
}

/** keccak256(RLP([[address, [topic…], data]…])): how the tests commit to logs. */
export function logsHash(logs: readonly Log[]): string {
  return keccakHash(
    encodeRlp(
      logs.map(({ address, topics, data }) => [addressToBytes(address), topics.map(hashToBytes), data]),
    ),
  );
}
