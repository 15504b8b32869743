import {
  viewBlock,
  type debugMethods,
  type debugStandardMethods,
  type ethExecutionMethods,
  type ethMethods,
  type ethStandardMethods,
} from '@tetrad/api-node';
import type { signerMethods } from '@tetrad/api-signer';
import type { Handlers, RpcClient } from '@tetrad/rpc';
import type { Address, Block, Hash } from '@tetrad/types';

/** Compiled, never run: handlers of every kind get typed parameters and must give typed results. */

declare const block: Block;
declare const hash: Hash;
declare const address: Address;
declare const client: RpcClient<typeof ethStandardMethods>;

function take<Value>(_value: Value): void {}

export const reads: Pick<
  Handlers<typeof ethStandardMethods>,
  'eth_getBlockByNumber' | 'eth_getBalance' | 'eth_syncing'
> = {
  eth_getBlockByNumber: ([reference, hydrated]) => {
    take<number | string>(reference);
    take<boolean | undefined>(hydrated);
    return viewBlock(block, { sizeBytes: 1, transactions: hydrated === true ? 'full' : 'hashes' });
  },
  eth_getBalance: ([account]) => {
    take<Address>(account);
    return 1n;
  },
  eth_syncing: () => false as const,
};

export const executions: Handlers<typeof ethExecutionMethods> = {
  eth_call: async ([request, , overrides]) => {
    take<Address | undefined>(request.from);
    take<bigint | undefined>(overrides?.get(address)?.balance);
    return Promise.resolve(new Uint8Array(0));
  },
  eth_estimateGas: () => 21_000n,
  eth_createAccessList: () => ({ accessList: [], gasUsed: 1n }),
};

export const debug: Pick<Handlers<typeof debugStandardMethods>, 'debug_traceTransaction'> &
  Handlers<typeof debugMethods> = {
  debug_traceTransaction: ([transaction, options]) => {
    take<Hash>(transaction);
    take<string | null | undefined>(options?.tracer);
    return { gas: 1n, failed: false, returnValue: new Uint8Array(0), structLogs: [] };
  },
  debug_dumpAddress: () => ({
    balance: 1n,
    nonce: 0n,
    root: hash,
    codeHash: hash,
    code: new Uint8Array(0),
    storage: {},
  }),
  debug_privateStateRoot: () => hash,
};

export const sends: Pick<Handlers<typeof ethMethods>, 'eth_sendTransaction'> = {
  eth_sendTransaction: ([request]) => {
    take<readonly string[] | undefined>(request.privateFor);
    return hash;
  },
};

export const signs: Pick<
  Handlers<typeof signerMethods>,
  'eth_accounts' | 'eth_sign' | 'eth_sendTransaction' | 'eea_sendTransaction'
> = {
  eth_accounts: () => [address],
  eth_sign: ([account, message]) => {
    take<string>(account);
    return message;
  },
  eth_sendTransaction: ([request]) => {
    take<bigint | undefined>(request.gas);
    return hash;
  },
  eea_sendTransaction: ([request]) => {
    // @ts-expect-error a private transaction carries no value
    take(request.value);
    return hash;
  },
};

// @ts-expect-error every method of the table needs a handler
export const incomplete: Handlers<typeof signerMethods> = { eth_accounts: () => [address] };

export const wrong: Pick<Handlers<typeof ethStandardMethods>, 'eth_getBalance'> = {
  // @ts-expect-error a balance is a bigint
  eth_getBalance: () => '0x0',
};

export async function calls(): Promise<void> {
  take<bigint>(await client.call('eth_getBalance', [address]));
  take<bigint>(await client.call('eth_getBalance', [address, 'latest']));
  take<Uint8Array>(await client.call('eth_call', [{ to: address }, 16]));
  // @ts-expect-error an address is required
  await client.call('eth_getBalance', []);
}
