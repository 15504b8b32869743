import { describe, expect, it } from '@jest/globals';
import { ChainRpcError, ChainUnavailableError, RollupCodec, type EthereumClient } from '@tetrad/rollup-chain';
import { OperatorError, hexFromBytes, parseAddress } from '@tetrad/types';
import { assertExitContract } from './exit-contract.js';

const ADDRESS = parseAddress('0xca843569e3427144cead5e4d5999a3d0ccf92b8e');
const codec = new RollupCodec();
const selectorOf = (name: string, values: readonly unknown[]) => codec.encodeCall(name, values).slice(0, 10);
const REQUEST_TIMES = selectorOf('requestTimes', [`0x${'00'.repeat(32)}`]);
const VERIFIERS = selectorOf('verifiers', [0]);

/** A contract that answers each call by its selector. */
function contractThat(answer: (selector: string) => Uint8Array) {
  const call: EthereumClient['call'] = async ({ data }) =>
    answer(hexFromBytes(data ?? new Uint8Array()).slice(0, 10));
  return { address: ADDRESS, codec, client: { call } as EthereumClient };
}

describe('an exit', () => {
  it('goes on with a contract that has all it needs', async () => {
    await assertExitContract(contractThat(() => new Uint8Array(64)));
  });

  it('names what a contract of an earlier version does not have, whether it reverts or answers nothing', async () => {
    const earlier = contractThat((selector) => {
      if (selector === REQUEST_TIMES) throw new ChainRpcError('execution reverted', 3, undefined);
      return new Uint8Array(selector === VERIFIERS ? 0 : 32);
    });
    const outcome = assertExitContract(earlier);
    await expect(outcome).rejects.toBeInstanceOf(OperatorError);
    await expect(outcome).rejects.toThrow(
      `the contract at ${ADDRESS} is of an earlier version and has no requestTimes, verifiers: leave it`,
    );
  });

  it('does not take a client that cannot be reached for an earlier contract', async () => {
    const silent = contractThat(() => {
      throw new ChainUnavailableError('no answer');
    });
    await expect(assertExitContract(silent)).rejects.toThrow(ChainUnavailableError);
  });
});
