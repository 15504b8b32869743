import type { Block } from '@ethereumjs/block';
import { SimpleStateManager } from '@ethereumjs/statemanager';
import { paramsTx } from '@ethereumjs/tx';
import { Account, Address as EvmAddress } from '@ethereumjs/util';
import { createVM, runTx } from '@ethereumjs/vm';
import { keccak256 } from '@tetrad/crypto';
import type { TransactionEffects } from '@tetrad/node-evm';
import {
  addressToBytes,
  bytesFromHex,
  hashToBytes,
  hexFromBytes,
  type Address,
  type SignedTransaction,
} from '@tetrad/types';
import { commonOf } from '../../evm/test/common-of.js';
import type { ForkName } from '../src/genesis/forks.js';
import type { BlockContext } from '../src/executor/block-context.js';
import type { PreState } from '../src/testing/run-state-test.js';
import { executable } from './executable-transaction.js';

/** The fields of an account apart from its storage; undefined when it does not exist. */
export type PlainAccount =
  { readonly balance: bigint; readonly nonce: bigint; readonly codeHash: string } | undefined;

/** Executes a transaction without logs in EthereumJS, over a separate state. */
export async function runInLibrary(
  { fork, pre, block }: { readonly fork: ForkName; readonly pre: PreState; readonly block: BlockContext },
  transaction: SignedTransaction,
): Promise<{ effects: TransactionEffects; findAccount(address: Address): Promise<PlainAccount> }> {
  const common = commonOf(fork);
  common.updateParams(paramsTx);
  Object.assign(common.customCrypto, { keccak256 });
  const state = new SimpleStateManager({ common });
  for (const [address, { balance, nonce, code }] of Object.entries(pre)) {
    const at = evmAddress(address as Address);
    await state.putAccount(at, new Account(BigInt(nonce ?? 0), BigInt(balance ?? 0)));
    if (code !== undefined) await state.putCode(at, bytesFromHex(code));
  }
  // Used for the receipts of the first rules only, which are not compared.
  state.getStateRoot = async () => new Uint8Array(32);
  const vm = await createVM({ common, stateManager: state });
  const { execResult, totalGasSpent } = await runTx(vm, {
    tx: executable(transaction, common, fork),
    block: blockFace(block),
    skipHardForkValidation: true,
  });
  const { exceptionError, returnValue } = execResult;
  return {
    effects: {
      status: exceptionError === undefined ? 1 : 0,
      gasUsed: totalGasSpent,
      logs: [],
      returnData: returnValue,
      ...(exceptionError === undefined ? {} : { failure: exceptionError.error }),
    },
    async findAccount(address) {
      const account = await state.getAccount(evmAddress(address));
      if (account === undefined) return undefined;
      const { balance, nonce, codeHash } = account;
      return { balance, nonce, codeHash: hexFromBytes(codeHash) };
    },
  };
}

function evmAddress(address: Address): EvmAddress {
  return new EvmAddress(addressToBytes(address));
}

/** The fields of a block that the EVM reads. */
function blockFace(block: BlockContext): Block {
  return {
    header: {
      number: BigInt(block.number),
      timestamp: BigInt(block.timestamp),
      coinbase: evmAddress(block.proposer),
      gasLimit: block.gasLimit,
      baseFeePerGas: block.baseFeePerGas,
      difficulty: block.difficulty,
      prevRandao: hashToBytes(block.mixHash),
      getBlobGasPrice: () => block.blobBaseFee ?? 1n,
    },
  } as unknown as Block;
}
