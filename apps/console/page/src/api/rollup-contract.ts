import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils';
import { Failure, callNode, valueOf, type Call, type Outcome } from './call-node.js';
import { blockSchema, bytesSchema } from './shapes.js';

/**
 * Source: libs/rollup/chain/contracts/Rollup.sol, whose members these are. Contracts that were deployed before have `operatorTurn`
 * in place of `frozen`, and the time of a deposit in place of the time from which it is overdue.
 */
export const ROLLUP_ABI = parseAbi([
  'function height() view returns (uint256)',
  'function nextAccountId() view returns (uint256)',
  'function depositCount() view returns (uint256)',
  'function nextDeposit() view returns (uint256)',
  'function stallTimeout() view returns (uint256)',
  'function operatorTurn() view returns (uint256)',
  'function frozen() view returns (bool)',
  'function tokenCount() view returns (uint256)',
  'function operator() view returns (address)',
  'function deposits(uint256) view returns (uint32 accountId, uint32 tokenId, uint64 amount, uint64 time, address from)',
  'function tokens(uint256) view returns (address token, uint256 unit, uint256 held)',
  'struct Batch { uint256 nextStateRoot; uint256 ordersRoot; uint256 ciphertextCommitment; uint256 size; bytes operations; }',
  'event TransactionBatchAccepted(uint256 indexed height, uint256 nextStateRoot, address submitter, Batch batch)',
]);

/** Deposits that are shown of those that wait; the contract keeps their number. */
const MAX_DEPOSITS = 50;
/** Tokens that are shown. */
const MAX_TOKENS = 50;

const NUMBERS = [
  'height',
  'nextAccountId',
  'depositCount',
  'nextDeposit',
  'stallTimeout',
  'tokenCount',
] as const;
type NumberName = 'height' | 'nextAccountId' | 'depositCount' | 'nextDeposit' | 'stallTimeout' | 'tokenCount';

/** A deposit that no batch has taken yet. */
export interface WaitingDeposit {
  readonly index: number;
  readonly accountId: number;
  readonly tokenId: number;
  readonly amount: bigint;
  /** Seconds since the epoch. From then on anyone may freeze the contract, or take the deposit where it has turns. */
  readonly overdueAt: number;
}

export interface RollupToken {
  readonly id: number;
  /** Undefined for ether. */
  readonly address: string | undefined;
  /** Its base units in one unit of the rollup. */
  readonly unit: bigint;
  /** Units of the rollup that the contract holds. */
  readonly held: bigint;
}

export interface ContractState extends Readonly<Record<NumberName, number>> {
  readonly operator: string;
  /** Whether it takes batches; undefined for a contract with turns. */
  readonly frozen: boolean | undefined;
  /** The first block for a batch of the operator where something is overdue; 0 otherwise, and where there are no turns. */
  readonly operatorTurn: number;
  /** Chain time of the newest block, which overdue deposits are checked by; seconds since the epoch. */
  readonly chainTime: number;
  readonly head: number;
  readonly deposits: readonly WaitingDeposit[];
  readonly tokens: readonly RollupToken[];
}

/**
 * The state of the rollup's contract at the newest block of a node.
 * @throws Failure; Error for an answer of another form
 */
export async function readContract(
  node: string,
  contract: string,
  signal: AbortSignal,
): Promise<ContractState> {
  const latest: Call = { method: 'eth_getBlockByNumber', params: ['latest', false] };
  const outcomes = await callNode(
    node,
    [
      ...[...NUMBERS, 'operator' as const].map((name) =>
        viewCall(contract, encodeFunctionData({ abi: ROLLUP_ABI, functionName: name })),
      ),
      latest,
      ...(['frozen', 'operatorTurn'] as const).map((name) =>
        viewCall(contract, encodeFunctionData({ abi: ROLLUP_ABI, functionName: name })),
      ),
    ],
    signal,
  );
  const numbers = Object.fromEntries(
    NUMBERS.map((name, at) => [
      name,
      Number(decodeFunctionResult({ abi: ROLLUP_ABI, functionName: name, data: dataOf(outcomes[at]) })),
    ]),
  ) as Record<NumberName, number>;
  const operator = decodeFunctionResult({
    abi: ROLLUP_ABI,
    functionName: 'operator',
    data: dataOf(outcomes[NUMBERS.length]),
  });
  const [block, frozenOutcome, turnOutcome] = outcomes.slice(NUMBERS.length + 1);
  const { timestamp, number } = blockSchema.parse(valueOf(block));
  const frozen = wordOf(frozenOutcome);
  return {
    ...numbers,
    operator,
    chainTime: timestamp,
    head: number,
    frozen: frozen === undefined ? undefined : frozen !== 0n,
    operatorTurn: Number(wordOf(turnOutcome) ?? 0n),
    ...(await readLists(node, contract, { ...numbers, freezes: frozen !== undefined }, signal)),
  };
}

async function readLists(
  node: string,
  contract: string,
  {
    nextDeposit,
    depositCount,
    stallTimeout,
    tokenCount,
    freezes,
  }: Readonly<Record<NumberName, number>> & { readonly freezes: boolean },
  signal: AbortSignal,
): Promise<Pick<ContractState, 'deposits' | 'tokens'>> {
  const waiting = Math.min(MAX_DEPOSITS, Math.max(0, depositCount - nextDeposit));
  const deposits = Array.from({ length: waiting }, (_, at) => nextDeposit + at);
  const tokens = Array.from({ length: Math.min(MAX_TOKENS, tokenCount) }, (_, id) => id);
  const calls = [
    ...deposits.map((index) => entryCall(contract, 'deposits', index)),
    ...tokens.map((id) => entryCall(contract, 'tokens', id)),
  ];
  const outcomes = calls.length === 0 ? [] : await callNode(node, calls, signal);
  return {
    deposits: deposits.map((index, at) => depositOf(index, freezes ? 0 : stallTimeout, dataOf(outcomes[at]))),
    tokens: tokens.map((id, at) => tokenOf(id, dataOf(outcomes[waiting + at]))),
  };
}

const viewCall = (to: string, data: string): Call => ({
  method: 'eth_call',
  params: [{ to, data }, 'latest'],
});

const entryCall = (contract: string, functionName: 'deposits' | 'tokens', index: number): Call =>
  viewCall(contract, encodeFunctionData({ abi: ROLLUP_ABI, functionName, args: [BigInt(index)] }));

/** @throws Failure where there is no contract */
function dataOf(outcome: Outcome | undefined): `0x${string}` {
  const data = bytesSchema.parse(valueOf(outcome));
  if (data === '0x') throw new Failure(200, 'this chain has no rollup at the contract’s address');
  return data as `0x${string}`;
}

/**
 * A word that contracts of some versions say.
 * @returns undefined where the function is not there
 */
function wordOf(outcome: Outcome | undefined): bigint | undefined {
  if (outcome?.kind !== 'done') return undefined;
  const data = bytesSchema.parse(outcome.value);
  return data === '0x' ? undefined : BigInt(data);
}

/** Words of the answer: account, token, amount and time; then the depositor, where the contract keeps it. */
function depositOf(index: number, seconds: number, data: `0x${string}`): WaitingDeposit {
  const word = (place: number) => BigInt(`0x${data.slice(2 + 64 * place, 66 + 64 * place)}`);
  const [accountId, tokenId, amount, time] = [0, 1, 2, 3].map(word) as [bigint, bigint, bigint, bigint];
  return {
    index,
    accountId: Number(accountId),
    tokenId: Number(tokenId),
    amount,
    overdueAt: Number(time) + seconds,
  };
}

function tokenOf(id: number, data: `0x${string}`): RollupToken {
  const [token, unit, held] = decodeFunctionResult({ abi: ROLLUP_ABI, functionName: 'tokens', data });
  return { id, address: id === 0 ? undefined : token, unit, held };
}
