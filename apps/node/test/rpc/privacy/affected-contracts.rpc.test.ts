import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
} from '../../privacy-network.js';
import { PrivateClient, contracts, creationOf, setTo } from './private-contracts.js';

const RESTORE = contracts.encodeFunctionData('restoreFromC1');
/** Places of nodes. The fourth party of the reference's scenarios is our third. */
const [N1, N2, N4] = [0, 1, 2] as const;
const REVERTED = { code: -32_000, message: 'execution reverted' };

let network: PrivacyNetwork;
let client: PrivateClient;
beforeAll(async () => {
  network = await startPrivacyNetwork({ keys: RECORDED_KEYS, accounts: recordedAccounts(3) });
  client = new PrivateClient(network);
});
afterAll(() => network?.stop());

/**
 * Creates a contract from the first node.
 * @returns its address
 */
async function create(data: string, request: object): Promise<string> {
  const receipts = await client.mine(N1, { data, ...request });
  expect(receipts.map(({ status }) => status)).toEqual(['0x1', '0x1', '0x1']);
  return receipts[N1]?.contractAddress ?? '';
}

describe('party protection', () => {
  it('does not run a contract that calls one of which the sender is not a party (P-30)', async () => {
    const c1 = await create(creationOf('C1', 30), { privacyFlag: 1, parties: [N4] });
    const c2 = await create(creationOf('C2', c1), { privacyFlag: 1, parties: [N2] });
    const { error } = await client.send(N2, { to: c2, data: setTo(31), privacyFlag: 1, parties: [N1] });
    expect(error).toMatchObject(REVERTED);
    expect(await client.values(c1)).toEqual([30, '0x', 30]);
    expect(await client.values(c2, 'y')).toEqual([0, 0, '0x']);
  });
});

describe('private state validation', () => {
  const restore = (to: string, privacyFlag: number) =>
    client.send(N1, { to, data: RESTORE, privacyFlag, parties: [N4] });
  const mismatch = "sent privacy flag doesn't match all affected contract flags";
  const isStandard = expect.stringMatching(/^PrivacyMetadata not found: /) as unknown;

  it.each([
    [0, 3],
    [3, 0],
  ])(
    'is not mixed: a contract with privacy flag %i and one with %i that reads it (P-32)',
    async (first, second) => {
      const c1 = await create(creationOf('C1', 42), { privacyFlag: first, parties: [N4] });
      const c2 = await create(creationOf('C2', c1), { privacyFlag: second, parties: [N4] });
      const errors = [await restore(c2, 0), await restore(c2, 3)].map(({ error }) => error);
      expect(errors).toMatchObject([{ message: mismatch }, { message: isStandard }]);
      expect(await client.values(c2)).toEqual([42, '0x', 42]);
      expect(await client.values(c2, 'y')).toEqual([0, '0x', 0]);
    },
  );

  it('reads public contracts and does not write them (P-34)', async () => {
    const c1 = await create(creationOf('C1', 42), {});
    const c2 = await create(creationOf('C2', c1), { privacyFlag: 3, parties: [N4] });
    const receipts = await client.statuses(N1, { to: c2, data: RESTORE, privacyFlag: 3, parties: [N4] });
    expect(receipts).toEqual(['0x1', '0x1', '0x1']);
    expect(await client.values(c2, 'y')).toEqual([42, '0x', 42]);
    const { error } = await client.send(N1, { to: c2, data: setTo(43), privacyFlag: 3, parties: [N4] });
    expect(error).toMatchObject(REVERTED);
    expect(await client.values(c1)).toEqual([42, 42, 42]);
    expect(await client.values(c2, 'y')).toEqual([42, '0x', 42]);
  });
});
