import { addressFromPrivateKey, keccak256 } from '@tetrad/crypto';
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
import { bytesFromHex, hexFromBytes, type Address, type SignedTransaction } from '@tetrad/types';
import { makeBlock } from '../../../../libs/node/chain/consensus-bft-chain/test/seal-block.js';
import { loadSlot } from '../../../../libs/node/chain/execution/src/state/load.js';
import { writeInBulk, type BulkLedger } from './bulk-ledger.js';
import { appendEmptyBlocks } from './empty-blocks.js';

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
const ADDRESS_BYTES = 20;
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
  const [added, sent] = [new AddedState(size), transfers(size)];
  const sealing = { proposerKey: VALIDATOR, keys: [VALIDATOR], change: added.change };
  const write = async (into: BulkLedger) => {
    for (let number = 1; number <= size.blocks; number += 1) {
      // What follows differs in numbers, hashes and seals alone.
      if (size.transactions === 0 && added.isDone)
        return appendEmptyBlocks(into, { count: size.blocks - number + 1, key: VALIDATOR });
      const { block, executed } = await makeBlock(into, { ...sealing, transactions: sent() });
      await into.ledger.append(block, executed);
    }
  };
  // Transfers make some of the accounts before they are added.
  await writeInBulk(url, chainGenesis(), write, (key) => size.transactions === 0 && added.isNew(key));
}

/** Address of a contract, by its number. */
export const contractAt = (number: number): Address => addressAt(number);

/**
 * Adds the next accounts to the state of a block, until all are there: in the order of their hashed addresses, so that a block changes the
 * nodes above its own accounts alone.
 */
class AddedState {
  private readonly order: readonly number[];
  private next = 0;
  /** Addresses that are being added, as hex. */
  private adding = new Set<string>();

  constructor(private readonly size: ChainSize) {
    const hashed = Array.from({ length: size.accounts + size.contracts }, (_, number) => {
      return { number, key: Buffer.from(keccak256(bytesFromHex(addressAt(number)))) };
    });
    this.order = hashed.sort((one, other) => one.key.compare(other.key)).map(({ number }) => number);
  }

  get isDone(): boolean {
    return this.next >= this.order.length;
  }

  isNew(key: Uint8Array): boolean {
    return this.adding.has(Buffer.from(key.buffer, key.byteOffset, ADDRESS_BYTES).toString('hex'));
  }

  readonly change = async ({ evm }: WorldState): Promise<void> => {
    const numbers = this.order.slice(this.next, this.next + ADDED_AT_ONCE);
    this.next += numbers.length;
    this.adding = new Set(numbers.map((number) => addressAt(number).slice(2)));
    await Promise.all(numbers.map((number) => this.add(evm, number)));
    evm.journal.next();
  };

  private async add(evm: WorldState['evm'], number: number): Promise<void> {
    const { contracts, slots } = this.size;
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
  }
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
