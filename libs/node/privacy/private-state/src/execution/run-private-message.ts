import {
  drive,
  messageGas,
  rulesOf,
  startMessage,
  toWord,
  wordFromAddress,
  type Account,
  type ExecutionContext,
  type FrameOutcome,
} from '@tetrad/node-evm';
import type { Address, SignedTransaction } from '@tetrad/types';
import type { TwoWorlds } from './two-worlds.js';

/** Accounts and their codes are fetched in as many sets at most: each may be in either world. */
const MAX_FETCHES = 8;

const FAILED = { gasUsed: 0, output: new Uint8Array(0) };

/** A private transaction without its payload; `data` is the hash of the payload, for whose bytes gas is paid. */
export type PrivateMessage = Pick<
  SignedTransaction,
  'sender' | 'nonce' | 'gasLimit' | 'to' | 'value' | 'data'
> & {
  readonly gasPrice?: bigint;
  /** Address of the contract of a creation; derived from the sender's nonce when absent. */
  readonly created?: Address | undefined;
};

/**
 * Runs the payload of a private transaction over both worlds. Its gas is the gas limit less the intrinsic gas of the
 * transaction in the block, whose data is the hash of the payload, so that parties and other nodes charge the same. It is
 * never more than that of a block: no block bounds what is behind a marker (docs/adr/0156).
 * @returns the outcome; the changes and logs are in the journal and not final yet
 * @throws whatever a source fails with
 */
export async function runPrivateMessage(
  context: ExecutionContext,
  transaction: PrivateMessage,
  { data, worlds }: { readonly data: Uint8Array; readonly worlds: TwoWorlds },
): Promise<FrameOutcome> {
  const rules = rulesOf(context.fork);
  const { to, nonce, value } = transaction;
  const creation = to === undefined;
  // The private world has no ether, and public ether is not moved from here.
  if (value !== 0n) return { ...FAILED, failure: 'insufficient balance for transfer' };
  if (creation && rules.limitedInitCode && data.length > 2 * (context.maxCodeSize ?? rules.maxCodeSize)) {
    return { ...FAILED, failure: 'max initcode size exceeded' };
  }
  const { intrinsic } = messageGas({ creation, data: transaction.data, accessList: [] }, rules);
  const gas = Math.min(Number(transaction.gasLimit), Number(context.block.gasLimit)) - intrinsic;
  if (gas < 0) return { ...FAILED, failure: 'intrinsic gas too low' };
  const participants = await prepare(context, transaction, worlds);
  const evm = startMessage(
    { ...context, hooks: worlds },
    {
      ...participants,
      world: worlds.privateWorld,
      value: 0,
      data,
      gas,
      nonce,
      accessList: [],
      gasPrice: toWord(transaction.gasPrice ?? 0n),
      ...(transaction.created === undefined ? {} : { created: wordFromAddress(transaction.created) }),
    },
  );
  await drive(evm);
  return evm.outcome as FrameOutcome;
}

interface Participants {
  readonly sender: Account;
  readonly coinbase: Account;
  readonly target: Account | undefined;
}

async function prepare(
  { block }: ExecutionContext,
  { sender, to }: PrivateMessage,
  worlds: TwoWorlds,
): Promise<Participants> {
  const { publicWorld, privateWorld } = worlds;
  const { journal } = privateWorld;
  for (let fetches = 0; fetches <= MAX_FETCHES; fetches++) {
    const payer = publicWorld.account(wordFromAddress(sender));
    const coinbase = publicWorld.account(block.coinbase);
    const target = to === undefined ? undefined : worlds.accountOf(wordFromAddress(to), privateWorld);
    if (target !== undefined) target.world.code(target);
    if (!journal.hasMissing) return { sender: payer as Account, coinbase: coinbase as Account, target };
    await journal.fetch();
  }
  throw new Error('data is still missing after it was fetched');
}
