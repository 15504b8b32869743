import { addressFromPrivateKey } from '@tetrad/crypto';
import { bftRules } from '@tetrad/node-consensus-bft';
import { Code, toWord, wordFromAddress, wordFromBytes } from '@tetrad/node-evm';
import {
  decodeStoredTransaction,
  defaultGenesis,
  loadAccount,
  type WorldState,
} from '@tetrad/node-execution';
import { developmentAccounts } from '@tetrad/testkit';
import { signTransaction } from '@tetrad/transactions';
import { hexFromBytes, type Address, type SignedTransaction } from '@tetrad/types';
import { makeBlock } from '../../../../libs/node/chain/consensus-bft-chain/test/seal-block.js';
import { loadSlot } from '../../../../libs/node/chain/execution/src/state/load.js';
import { writeInBulk } from './bulk-ledger.js';

/** What the chain has. */
export interface ChainSize {
  readonly blocks: number;
  /** Accounts without code; they are there without a transaction that made them, so only peers can give the state. */
  readonly accounts: number;
  readonly contracts: number;
  /** Of each contract. */
  readonly slots: number;
  /** Of each block, which any node can execute. */
  readonly transactions: number;
}

const CHAIN_ID = 1337n;
export const VALIDATOR = Buffer.alloc(32, 0x42);
const SENDERS = developmentAccounts(4, 'owner');
/** Accounts and contracts together that one block adds. */
const ADDED_AT_ONCE = 2_000;
/** Codes are shared by contracts, as those of a factory are. */
const CODES = 500;

/** Logs its input with a topic. */
export const LOGGER = `0x${'c1'.repeat(20)}` as Address;
const LOGGER_CODE = '0x3660006000376007366000a100';

/** The genesis file of the chain. */
export function chainGenesis(): Record<string, unknown> {
  const file = defaultGenesis({
    chainId: Number(CHAIN_ID),
    engine: 'qbft',
    blockPeriodMs: 1_000,
    extraData: hexFromBytes(bftRules('qbft').genesisExtraData([addressFromPrivateKey(VALIDATOR)])),
    balances: new Map([...SENDERS, ...developmentAccounts(4)].map(({ address }) => [address, 10n ** 24n])),
  });
  return {
    ...file,
    alloc: { ...(file['alloc'] as object), [LOGGER]: { balance: '0x0', code: LOGGER_CODE } },
  };
}

/** Writes a chain of one validator into an empty database that has its tables. State is written into blocks without executing anything. */
export async function writeChain(url: string, size: ChainSize): Promise<void> {
  const [change, sent] = [addedState(size), transfers(size)];
  const sealing = { proposerKey: VALIDATOR, keys: [VALIDATOR], change };
  await writeInBulk(url, chainGenesis(), async (into) => {
    for (let number = 1; number <= size.blocks; number += 1) {
      const { block, executed } = await makeBlock(into, { ...sealing, transactions: sent() });
      await into.ledger.append(block, executed);
    }
  });
}

/** Address of a contract, by its number. */
export const contractAt = (number: number): Address => addressAt(number);

/** Adds the next accounts to the state of a block, until all are there. */
function addedState({ accounts, contracts, slots }: ChainSize): (world: WorldState) => Promise<void> {
  const all = accounts + contracts;
  let next = 0;
  return async ({ evm }) => {
    const end = Math.min(all, next + ADDED_AT_ONCE);
    const numbers = Array.from({ length: end - next }, (_, index) => next + index);
    next = end;
    await Promise.all(
      numbers.map(async (number) => {
        const account = await loadAccount(evm, wordFromAddress(addressAt(number)));
        account.setBalance(toWord(BigInt(number + 1)));
        if (number >= contracts) return;
        account.setNonce(1n);
        account.setCode(new Code(Buffer.from(`00${(number % CODES).toString(16).padStart(8, '0')}`, 'hex')));
        for (let slot = 0; slot < slots; slot += 1)
          account.setSlot(
            await loadSlot(evm, account, wordFromBytes(wordAt(slot))),
            wordFromBytes(wordAt(number * slots + slot + 1)),
          );
      }),
    );
    evm.journal.next();
  };
}

/** The transactions of the next block: transfers, and calls that log. */
function transfers({ transactions }: ChainSize): () => SignedTransaction[] {
  let sent = 0;
  return () =>
    Array.from({ length: transactions }, () => {
      const index = sent++;
      const { privateKey, address } = SENDERS[index % SENDERS.length] as (typeof SENDERS)[number];
      const raw = signTransaction(
        {
          chainId: CHAIN_ID,
          nonce: BigInt(Math.floor(index / SENDERS.length)),
          gasLimit: 60_000n,
          ...(index % 3 === 0
            ? { to: LOGGER, value: 0n, data: wordAt(index) }
            : { to: addressAt(index % 1_000), value: 1n, data: new Uint8Array(0) }),
          fees: { type: 'legacy', gasPrice: 0n },
        },
        privateKey,
      );
      return decodeStoredTransaction(raw, { chainId: CHAIN_ID, sender: address });
    });
}

const wordAt = (number: number) => Buffer.from(number.toString(16).padStart(64, '0'), 'hex');

function addressAt(number: number): Address {
  return `0xacc0${number.toString(16).padStart(36, '0')}` as Address;
}
