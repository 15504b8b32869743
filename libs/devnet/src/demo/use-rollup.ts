import { generatePrivateKey, addressFromPrivateKey } from '@tetrad/crypto';
import { callRpc } from './call-rpc.js';
import { assert, type DemoContext } from './demo-context.js';
import { DemoRollup, type DemoHolder } from './demo-rollup.js';
import { eventually } from './eventually.js';
import { assertUnits } from './leave-rollup.js';
import { RollupExit } from './rollup-exit.js';

const DEPOSIT = 10_000n;
const ORDER = 4_000n;
const OUT = 1_500n;

/** The part of a record with the state of its operation. */
interface Progress {
  readonly status: string;
  readonly batchHeight?: number | null;
  readonly blockNumber?: number | null;
}

/**
 * Takes a deposit through the rollup and out again, each batch proved on the chain; then kills the operator in a batch. At the end the
 * operator is gone, and a holder begins to leave, which `leaveRollup` shows.
 */
export async function useRollup(context: DemoContext): Promise<string> {
  const { tell } = context;
  tell('rollup: deploying its contract, and starting the operator');
  const rollup = await DemoRollup.start(context);
  try {
    const alice = await rollup.newHolder('alice');
    const bob = await rollup.newHolder('bob');
    tell('rollup: opening two accounts');
    await Promise.all([alice.register(), bob.register()]);
    const recipient = addressFromPrivateKey(generatePrivateKey());
    await pay(rollup, { alice, bob, recipient, tell });
    await assertUnits(context, recipient, OUT);
    tell('rollup: killing the operator in the middle of a batch');
    const height = await crash(rollup, { alice, recipient });
    await assertUnits(context, recipient, 2n * OUT);
    const holdings = [
      { holder: alice, units: DEPOSIT - ORDER - OUT },
      { holder: bob, units: ORDER - OUT },
    ];
    await assertBalances(holdings);
    tell('rollup: rebuilding its state from the chain');
    const rebuilt = await rollup.rebuild();
    await rollup.kill();
    context.exit = RollupExit.begin(rollup.contract, holdings);
    return `a deposit, a money order, its redemption and a transfer out of the rollup are proved on the chain; the operator, killed with batch ${height} half done, finished it; the contract's events alone lead to its state root ${rebuilt.stateRoot.slice(0, 18)}… after ${rebuilt.height} batches; then the operator was killed for good`;
  } catch (error) {
    await rollup.stop();
    throw error;
  }
}

interface Parties {
  readonly alice: DemoHolder;
  readonly bob: DemoHolder;
  readonly recipient: string;
  readonly tell: (what: string) => void;
}

/** Each step waits until the chain has accepted the proof of its batch. */
async function pay(rollup: DemoRollup, { alice, bob, recipient, tell }: Parties): Promise<void> {
  tell('rollup: a deposit, and its batch proved on the chain');
  await rollup.deposit(alice.id, DEPOSIT);
  await eventually('the deposit cannot be redeemed', () => succeeds(alice.redeem()));
  tell('rollup: a money order');
  await alice.send(bob, ORDER, true);
  await eventually('the money order cannot be redeemed', () => succeeds(bob.redeem()));
  tell('rollup: a transfer out');
  await bob.withdraw(recipient, OUT, true);
}

/**
 * Kills the operator when it has executed an operation and the chain has no batch with it.
 * @returns the batch
 */
async function crash(
  rollup: DemoRollup,
  { alice, recipient }: Pick<Parties, 'alice' | 'recipient'>,
): Promise<number> {
  const hash = await alice.withdraw(recipient, OUT, false);
  const find = () => callRpc(rollup.rpc, 'pazkp_findOutboundTransfer', [hash]) as Promise<Progress>;
  await eventually('the operation was not executed', async () => (await find()).status === 'EXECUTED');
  const before = await find();
  await rollup.kill();
  assert(typeof before.blockNumber !== 'number', 'the batch was final before the operator could be killed');
  await rollup.restart();
  await eventually('the batch is not final', async () => typeof (await find()).blockNumber === 'number');
  return before.batchHeight ?? 0;
}

async function assertBalances(
  holdings: readonly { readonly holder: DemoHolder; readonly units: bigint }[],
): Promise<void> {
  for (const { holder, units } of holdings) {
    const balance = await holder.balance();
    assert(balance === units, `account ${holder.id} has ${balance} units instead of ${units}`);
  }
}

async function succeeds(work: Promise<void>): Promise<boolean> {
  await work;
  return true;
}
