import { MerkleStateManager } from '@ethereumjs/statemanager';
import { Account, Address as EvmAddress } from '@ethereumjs/util';
import { createVM, runTx, type PreByzantiumTxReceipt } from '@ethereumjs/vm';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { decodeTransaction, parseGenesis } from '@tetrad/node-execution';
import { developmentAccounts } from '@tetrad/testkit';
import { signTransaction } from '@tetrad/transactions';
import { ZERO_ADDRESS, addressToBytes, hexFromBytes, type Block } from '@tetrad/types';
import { commonOf } from '../../evm/test/common-of.js';
import { executable } from '../../execution/test/executable-transaction.js';
import { openRaftLedger, type RaftLedger } from './open-raft-ledger.js';

const [OWNER, OTHER] = developmentAccounts(2, 'owner').map((account) => account) as [
  ReturnType<typeof developmentAccounts>[number],
  ReturnType<typeof developmentAccounts>[number],
];
const CHAIN_ID = 1337n;
const BALANCE = 10n ** 20n;
const ZERO_WORD = `0x${'00'.repeat(32)}`;

/** A raft chain that has not come to Byzantium. */
const GENESIS = parseGenesis({
  config: {
    chainId: 1337,
    isQuorum: true,
    txnSizeLimit: 64,
    homesteadBlock: 0,
    eip150Block: 0,
    eip155Block: 0,
    eip158Block: 0,
  },
  nonce: '0x0',
  timestamp: '0x0',
  gasLimit: '0x29b92700',
  difficulty: '0x0',
  extraData: ZERO_WORD,
  mixHash: ZERO_WORD,
  coinbase: ZERO_ADDRESS,
  alloc: { [OWNER.address]: { balance: String(BALANCE) } },
});

const TRANSACTIONS = [
  { to: OTHER.address, value: 5n, data: new Uint8Array(0) },
  // PUSH1 7 PUSH1 1 SSTORE: a contract without code, and with a slot.
  { to: undefined, value: 1n, data: Buffer.from('6007600155', 'hex') },
  // INVALID: takes all its gas, and leaves nothing but the nonce.
  { to: undefined, value: 2n, data: Buffer.from('fe', 'hex') },
].map(({ to, ...rest }, nonce) =>
  decodeTransaction(
    signTransaction(
      {
        chainId: CHAIN_ID,
        nonce: BigInt(nonce),
        gasLimit: 200_000n,
        ...rest,
        ...(to === undefined ? {} : { to }),
        fees: { type: 'legacy', gasPrice: 0n },
      },
      OWNER.privateKey,
    ),
    CHAIN_ID,
  ),
);

/** The state root after each transaction, by another implementation. */
async function rootsElsewhere(): Promise<string[]> {
  const common = commonOf('spuriousDragon');
  const stateManager = new MerkleStateManager({ common });
  await stateManager.putAccount(new EvmAddress(addressToBytes(OWNER.address)), new Account(0n, BALANCE));
  const vm = await createVM({ common, stateManager });
  const roots: string[] = [];
  for (const transaction of TRANSACTIONS) {
    const coinbase = new EvmAddress(addressToBytes(ZERO_ADDRESS));
    const header = { number: 1n, timestamp: 1n, coinbase, gasLimit: 700_000_000n, difficulty: 1n };
    const { receipt } = await runTx(vm, {
      tx: executable(transaction, common, 'spuriousDragon'),
      block: { header } as never,
      skipHardForkValidation: true,
    });
    roots.push(hexFromBytes((receipt as PreByzantiumTxReceipt).stateRoot));
  }
  return roots;
}

let chain: RaftLedger;
beforeAll(async () => {
  chain = await openRaftLedger(GENESIS);
});
afterAll(() => chain?.close());

it('receipts of a raft block before Byzantium have the state root after each transaction', async () => {
  const { ledger } = chain;
  const parent: Block = ledger.head();
  const next = ledger.rules.nextContext(parent.header, { proposer: ZERO_ADDRESS, timestamp: 1_000_000_000n });
  const execution = ledger.execute(ledger.contextAbove(next), await ledger.worldAt(parent));
  await execution.addAll(TRANSACTIONS);
  const { receipts, changes } = await execution.finish();
  const roots = receipts.map(({ stateRoot }) => stateRoot);
  expect(roots).toEqual(await rootsElsewhere());
  expect(new Set([...roots, changes.stateRoot]).size).toBe(4);
  expect(receipts.map(({ status }) => status)).toEqual([1, 1, 0]);
});
