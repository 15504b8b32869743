import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import type { PrivacyNetwork } from '../../privacy-network.js';
import { creationOf, setTo } from '../privacy/private-contracts.js';
import { ExtensionClient, startExtensionNetwork } from './extension-client.js';

/** Places of nodes: two parties, the one that is invited, and one without a part. */
const [CREATOR, PARTY, INVITED, OUTSIDER] = [0, 1, 2, 3] as const;
/** Long, so that no answer is missed on a busy host; what is decided ends it. */
const WAIT = ['--extension-confirmation-wait', '60s'];

interface Heard {
  readonly ptmKey: string;
  readonly answer: string;
  readonly storageRoot: string;
}

let network: PrivacyNetwork;
let client: ExtensionClient;
beforeAll(async () => {
  network = await startExtensionNetwork(4, { flags: WAIT });
  client = new ExtensionClient(network);
});
afterAll(() => network?.stop());

/**
 * Creates a private contract of the creator and the party.
 * @returns its address
 */
async function create(more: object = {}): Promise<string> {
  const data = creationOf('SimpleStorage', 42);
  const receipts = await client.mine(CREATOR, { data, parties: [PARTY], ...more });
  return receipts[CREATOR]?.contractAddress ?? '';
}

async function heard(index: number, contract: string): Promise<readonly Heard[] | undefined> {
  const { result, error } = await client.call(index, 'inspect', contract);
  if (error !== undefined) throw new Error(error.message);
  return (result as { extensions: [{ heard?: readonly Heard[] }] }).extensions[0].heard;
}

const byKey = (answers: readonly Heard[] | undefined) =>
  new Map(answers?.map(({ ptmKey, answer }) => [ptmKey, answer]));

describe.each([0, 1, 2, 3])('the parties of a contract of flag %s', (privacyFlag) => {
  it('sign what is shared for the recipient, before and when it is shared', async () => {
    const contract = await create(
      privacyFlag === 2 ? { privacyFlag, mandatoryFor: [client.key(PARTY)] } : { privacyFlag },
    );
    const [root] = await client.storageRoots(contract);
    const management = await client.begin(CREATOR, INVITED, contract);
    const answers = await heard(INVITED, contract);
    expect(byKey(answers)).toEqual(
      new Map([
        [client.key(CREATOR), 'stated'],
        [client.key(PARTY), 'confirmed'],
      ]),
    );
    expect(answers?.map(({ storageRoot }) => storageRoot)).toEqual([root, root]);
    expect(await heard(CREATOR, contract)).toBeUndefined();
    await client.minedAll(await client.approve(INVITED, management, true));
    await client.ended([CREATOR, INVITED], management);
    expect((await client.values(contract)).slice(0, 3)).toEqual([42, 42, 42]);
  });
});

describe('a contract whose parties have different states', () => {
  it('is contradicted before, and not accepted when it is shared', async () => {
    const contract = await create();
    // The party does not get this transaction.
    await client.mine(CREATOR, { to: contract, data: setTo(7), parties: [OUTSIDER] });
    const management = await client.begin(CREATOR, INVITED, contract);
    expect(byKey(await heard(INVITED, contract)).get(client.key(PARTY))).toBe('contradicted');
    await client.minedAll(await client.approve(INVITED, management, true));
    await client.ended([CREATOR, INVITED], management);
    await until(async () => (await client.status(INVITED, management)) === 'DONE');
    expect((await client.values(contract)).slice(0, 3)).toEqual([7, 42, '0x']);
  });
});
