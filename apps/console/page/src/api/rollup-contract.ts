import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils';
import { Failure, callNode, valueOf, type Call, type Outcome } from './call-node.js';
import { blockSchema, bytesSchema } from './shapes.js';

/** Source: libs/rollup/chain/contracts/Rollup.sol, whose members these are */
export const ROLLUP_ABI = parseAbi([
  'function height() view returns (uint256)',
  'function nextAccountId() view returns (uint256)',
  'function depositCount() view returns (uint256)',
  'function nextDeposit() view returns (uint256)',
  'function stallTimeout() view returns (uint256)',
  'function operatorTurn() view returns (uint256)',
  'function tokenCount() view returns (uint256)',
  'function operator() view returns (address)',
  'function deposits(uint256) view returns (uint32 accountId, uint32 tokenId, uint64 amount, uint64 registeredAt)',
  'function tokens(uint256) view returns (address token, uint256 unit, uint256 held)',
  'struct Batch { uint256 nextStateRoot; uint256 ordersRoot; uint256 ciphertextCommitment; uint256 size; bytes operations; }',
  'event TransactionBatchAccepted(uint256 indexed height, uint256 nextStateRoot, address submitter, Batch batch)',
]);

/** Deposits that are shown of those that wait; the contract keeps their number. */
const MAX_DEPOSITS = 50;
/** Tokens that are shown. */
const MAX_TOKENS = 50;

const NUMBERS = [
  ...['height', 'nextAccountId', 'depositCount', 'nextDeposit'],
  ...['stallTimeout', 'operatorTurn', 'tokenCount'],
] as const;
type NumberName =
  | 'height'
  | 'nextAccountId'
  | 'depositCount'
  | 'nextDeposit'
  | 'stallTimeout'
  | 'operatorTurn'
  | 'tokenCount';

/** A deposit that no batch has taken yet. */
export interface WaitingDeposit {
  readonly index: number;
  readonly accountId: number;
  readonly tokenId: number;
  readonly amount: bigint;
  /** Seconds since the epoch. */
  readonly registeredAt: number;
  /** From then on others may take it. */
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
  /** Of the newest block, which overdue deposits are judged by; seconds since the epoch. */
  readonly chainTime: number;
  readonly head: number;
  readonly deposits: readonly WaitingDeposit[];
  readonly tokens: readonly RollupToken[];
}

/** The state of the rollup's contract at the newest block of a node. Fails: Failure; Error for an answer of another form */
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
  const { timestamp, number } = blockSchema.parse(valueOf(outcomes.at(-1)));
  return {
    ...{ ...numbers, operator, chainTime: timestamp, head: number },
    ...(await readLists(node, contract, numbers, signal)),
  };
}

async function readLists(
  node: string,
  contract: string,
  { nextDeposit, depositCount, stallTimeout, tokenCount }: Readonly<Record<NumberName, number>>,
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
    deposits: deposits.map((index, at) => depositOf(index, stallTimeout, dataOf(outcomes[at]))),
    tokens: tokens.map((id, at) => tokenOf(id, dataOf(outcomes[waiting + at]))),
  };
}

const viewCall = (to: string, data: string): Call => ({
  method: 'eth_call',
  params: [{ to, data }, 'latest'],
});

const entryCall = (contract: string, functionName: 'deposits' | 'tokens', index: number): Call =>
  viewCall(contract, encodeFunctionData({ abi: ROLLUP_ABI, functionName, args: [BigInt(index)] }));

/** Fails: Failure where there is no contract */
function dataOf(outcome: Outcome | undefined): `0x${string}` {
  const data = bytesSchema.parse(valueOf(outcome));
  if (data === '0x') throw new Failure(200, 'this chain has no rollup at the contract’s address');
  return data as `0x${string}`;
}

function depositOf(index: number, stallTimeout: number, data: `0x${string}`): WaitingDeposit {
  const [accountId, tokenId, amount, registered] = decodeFunctionResult({
    abi: ROLLUP_ABI,
    functionName: 'deposits',
    data,
  });
  const registeredAt = Number(registered);
  return { index, accountId, tokenId, amount, registeredAt, overdueAt: registeredAt + stallTimeout };
}

function tokenOf(id: number, data: `0x${string}`): RollupToken {
  const [token, unit, held] = decodeFunctionResult({ abi: ROLLUP_ABI, functionName: 'tokens', data });
  return { id, address: id === 0 ? undefined : token, unit, held };
}
