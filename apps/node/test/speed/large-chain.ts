import { addressFromPrivateKey } from '@tetrad/crypto';
import { bftRules, hashHeader } from '@tetrad/node-consensus-bft';
import { decodeStoredTransaction, defaultGenesis } from '@tetrad/node-execution';
import { developmentAccounts } from '@tetrad/testkit';
import { signTransaction } from '@tetrad/transactions';
import { hexFromBytes, type Address, type SignedTransaction } from '@tetrad/types';
import { makeBlock, sealHeader } from '../../../../libs/node/chain/consensus-bft-chain/test/seal-block.js';
import { addAccounts, addressAt, wordAt, type AddedAccounts } from './added-state.js';
import { writeInBulk, type BulkLedger } from './bulk-ledger.js';
import { appendEmptyBlocks } from './empty-blocks.js';
import { StateRows } from './state-rows.js';

/** What the chain has. */
export interface ChainSize extends AddedAccounts {
  readonly blocks: number;
  /** Of each block, which any node can execute. */
  readonly transactions: number;
}

const CHAIN_ID = 1337n;
export const VALIDATOR = Buffer.alloc(32, 0x42);
const SENDERS = developmentAccounts(4, 'owner');

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
  const sent = transfers(size);
  const sealing = { proposerKey: VALIDATOR, keys: [VALIDATOR] };
  await writeInBulk(url, chainGenesis(), async (into) => {
    const isAdding = size.accounts + size.contracts > 0;
    if (isAdding) await appendState(into, size);
    const first = isAdding ? 2 : 1;
    // Without transactions, what follows differs in numbers, hashes and seals alone.
    if (size.transactions === 0)
      return appendEmptyBlocks(into, { count: size.blocks - first + 1, key: VALIDATOR });
    for (let number = first; number <= size.blocks; number += 1) {
      const { block, executed } = await makeBlock(into, { ...sealing, transactions: sent() });
      await into.ledger.append(block, executed);
    }
  });
}

/** Address of a contract, by its number. */
export const contractAt = (number: number): Address => addressAt(number);

/** Appends a block after which the added accounts are there. */
async function appendState(into: BulkLedger, size: ChainSize): Promise<void> {
  const { ledger, rules, store } = into;
  const parent = ledger.head();
  const world = await ledger.worldAt(parent);
  const stateRoot = await addAccounts(world, size, new StateRows(store.stateSync));
  const { block, executed } = await makeBlock(into, { proposerKey: VALIDATOR, keys: [VALIDATOR] });
  const { number } = block.header;
  const header = sealHeader({
    format: rules.settingsAt(number).engine,
    header: { ...block.header, stateRoot },
    validators: [addressFromPrivateKey(VALIDATOR)],
    proposerKey: VALIDATOR,
    keys: [VALIDATOR],
  });
  await ledger.append(
    { ...block, header, hash: hashHeader(header) },
    { ...executed, changes: { ...executed.changes, stateRoot } },
  );
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
