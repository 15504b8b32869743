import type { Account, AccountRecovery } from '@tetrad/rollup-state';
import { OperatorError, type Address } from '@tetrad/types';
import { isFrozen } from '../chain/is-frozen.js';
import { RollupContract } from '../chain/rollup-contract.js';
import { rollupTokens } from '../chain/rollup-tokens.js';
import { checkMove } from './check-move.js';
import { readHeld, type Held } from './held-amounts.js';
import { presentSuccessor, type MoveStart, type Successor } from './move-file.js';
import type { MoveOptions } from './move-options.js';
import type { MoveWaits } from './move-waits.js';
import { atAddress, readMovedTotals, type Amounts } from './moved-totals.js';
import { ServedWithdrawal } from './served-withdrawal.js';

/** What a move looks at. */
export interface MoveParts {
  /** The account in the rollup that is left, after the latest block. */
  look(): Promise<AccountRecovery & { readonly own: Account }>;
  readonly waits: MoveWaits;
}

/**
 * Begins a move, or takes up the one of the file, after all checks. Where the operator serves, what the account has under way is
 * final before the move begins: it is not of the move.
 *
 * @param options - of the move
 * @param parts - what it looks at
 * @returns what the file says; undefined when there is nothing to move
 * @throws MoveRefusedError; OperatorError for a file of another move; as `ServedWithdrawal.settleAll`
 */
export async function beginMove(options: MoveOptions, parts: MoveParts): Promise<MoveStart | undefined> {
  const { file, contract, successor, byChain, onProgress } = options;
  const known = file.start;
  if (known !== undefined) return takeUp(options, known, parts);
  const before = await heldBy(options, parts);
  if (before.amounts.size === 0) return undefined;
  for (const { index, from } of before.deposits.foreign) onProgress({ kind: 'foreignDeposit', index, from });
  await check(options, parts, before, before.amounts);
  if (!byChain && !(await isFrozen(contract))) {
    await ServedWithdrawal.with(options, parts, (withdrawal) => withdrawal.settleAll());
    const settled = await heldBy(options, parts);
    if (settled.amounts.size === 0) return undefined;
    await check(options, parts, settled, settled.amounts);
  }
  const { client } = contract;
  const [chainId, block] = await Promise.all([client.chainId(), client.blockNumber()]);
  const { height } = await contract.state(block);
  const start = {
    chainId,
    contract: contract.address,
    successors: [await successorAt(successor, block)],
    tokens: await addressesOf(options),
    block,
    height,
  };
  await file.write(start);
  onProgress({ kind: 'began', block, height });
  return start;
}

async function takeUp(options: MoveOptions, known: MoveStart, parts: MoveParts): Promise<MoveStart> {
  const { file, contract, successor, keys } = options;
  await assertSame(contract, known);
  const present = presentSuccessor(known);
  if (present === successor.address) return known;
  const { client } = contract;
  if (!(await isFrozen(await RollupContract.open(client, present))))
    throw new OperatorError(`a move to ${present} has begun; go on with it, or end it with --abandon`);
  const held = await heldBy(options, parts);
  const amounts = new Map(held.amounts);
  const block = await client.blockNumber();
  const totals = await parts.waits.until('events', async () => ({
    found: await readMovedTotals(contract, known, { owner: keys.address, block }),
    mark: block,
  }));
  for (const token of totals.arrived.keys()) {
    const sum = (amounts.get(token) ?? 0n) + atAddress(totals, token);
    if (sum > 0n && (known.tokens?.includes(token) ?? true)) amounts.set(token, sum);
  }
  await check(options, parts, held, amounts);
  const next = { ...known, successors: [...known.successors, await successorAt(successor, block)] };
  await file.write(next);
  return next;
}

async function successorAt(successor: RollupContract, block: number): Promise<Successor> {
  const firstDeposit = Number(await successor.read('depositCount', [], block));
  return { address: successor.address, firstDeposit };
}

/**
 * Checks that the file of a move is of a rollup.
 *
 * @param contract - that is left
 * @param start - what the file says
 * @throws OperatorError
 */
export async function assertSame(contract: RollupContract, start: MoveStart): Promise<void> {
  const chainId = await contract.client.chainId();
  if (start.contract !== contract.address || start.chainId !== chainId)
    throw new OperatorError(
      `a move of ${start.contract} on chain ${start.chainId} has begun with these keys, and not of ${contract.address} on chain ${chainId}`,
    );
}

async function check(options: MoveOptions, parts: MoveParts, held: Held, amounts: Amounts): Promise<void> {
  const { contract, successor, byChain, keys } = options;
  const { own } = await parts.look();
  const owner = keys.address;
  await checkMove({ contract, successor, owner, accountId: own.id, held, amounts, byChain });
}

async function heldBy(options: MoveOptions, parts: MoveParts): Promise<Held> {
  const { contract, keys, tokens, minimum, fromBlock } = options;
  return readHeld(contract, await parts.look(), { owner: keys.address, tokens, minimum, fromBlock });
}

async function addressesOf({ contract, tokens }: MoveOptions): Promise<readonly Address[] | undefined> {
  if (tokens === undefined) return undefined;
  return (await rollupTokens(contract)).filter(({ id }) => tokens.has(id)).map(({ address }) => address);
}
