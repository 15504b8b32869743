import { describe, expect, it } from '@jest/globals';
import { decodeParams } from '@tetrad/rpc';
import { nodeMethods, nodeStandardMethods } from './tables.js';

const ADDRESS = `0x${'ab'.repeat(20)}`;
const KEY = `${'A'.repeat(43)}=`;

/** What GoQuorum and geth read of the same request. */
describe('a client of a node written in Go', () => {
  it('sends privately under whatever letter case its members have', () => {
    const request = { From: ADDRESS, TO: ADDRESS, gasprice: '0x1', PrivateFor: [KEY], privacyflag: 1 };
    expect(decodeParams(nodeMethods.eth_sendTransaction, [request])[0]).toMatchObject({
      from: ADDRESS,
      to: ADDRESS,
      gasPrice: 1n,
      privacyFlag: 1,
      privateFor: [expect.anything()],
    });
  });

  it('calls, filters and overrides so', () => {
    const overrides = { [ADDRESS]: { Balance: '0x7' } };
    const [call, block, accounts] = decodeParams(nodeStandardMethods.eth_call, [
      { To: ADDRESS, DATA: '0x01' },
      { BlockNumber: '0x5' },
      overrides,
    ]);
    expect([call, block]).toMatchObject([{ to: ADDRESS, data: Uint8Array.of(1) }, 5]);
    expect([...(accounts as Map<string, unknown>).values()]).toEqual([{ balance: 7n }]);
    const criteria = { FromBlock: '0x1', ADDRESS: ADDRESS };
    expect(decodeParams(nodeStandardMethods.eth_getLogs, [criteria])[0]).toMatchObject({
      fromBlock: 1,
      addresses: [ADDRESS],
    });
  });

  it.each([
    [{ from: ADDRESS, to: ADDRESS, To: null }, 'transaction.To'],
    [{ from: ADDRESS, privateFor: [KEY], PrivateFor: [] }, 'transaction.PrivateFor'],
    [
      { from: ADDRESS, accessList: [{ address: ADDRESS, storageKeys: [], storagekeys: [] }] },
      'transaction.accessList[0].storagekeys',
    ],
  ])('is refused where another reader takes another member: %j', (request, field) => {
    expect(() => decodeParams(nodeMethods.eth_sendTransaction, [request])).toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMS', data: expect.objectContaining({ field }) }) as never,
    );
  });
});
