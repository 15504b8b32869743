import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig, parseCommandLine } from '@tetrad/service';
import { until } from '@tetrad/testkit';
import { validateExecutionApiResult } from '../../../../../libs/api/node/test/execution-api/validate-result.js';
import {
  inspectArguments,
  inspectExtension,
  inspectOptions,
} from '../../../src/commands/inspect-extension-command.js';
import type { PrivacyNetwork } from '../../privacy-network.js';
import { compiled } from '../privacy/private-contracts.js';
import { ExtensionClient, startExtensionNetwork } from './extension-client.js';

/** Places of nodes: one party, another, and the one that is invited. */
const [CREATOR, PARTY, INVITED] = [0, 1, 2] as const;
const { interface: master } = compiled('StorageMaster.sol', 'StorageMaster');
const STRANGER = `0x${'57'.repeat(20)}`;

/** As much of an answer as the tests read. */
interface Inspection {
  readonly held?: {
    readonly storageRoot: string;
    readonly refersTo: readonly { readonly address: string; readonly isWithNewParty?: boolean }[];
  };
  readonly extensions: readonly { readonly managementCodeHash: string }[];
}

let network: PrivacyNetwork;
let client: ExtensionClient;
beforeAll(async () => {
  network = await startExtensionNetwork(3);
  client = new ExtensionClient(network);
});
afterAll(() => network?.stop());

/**
 * Creates a private contract of the creator and the party.
 * @returns its address
 */
async function create(file: string, name: string, values: readonly unknown[], more: object = {}) {
  const data = compiled(file, name).creation(...values);
  const receipts = await client.mine(CREATOR, { data, parties: [PARTY], ...more });
  return receipts[CREATOR]?.contractAddress ?? '';
}

async function inspect(index: number, ...params: readonly unknown[]): Promise<Inspection> {
  const { result, error } = await client.call(index, 'inspect', ...params);
  if (error !== undefined) throw new Error(error.message);
  validateExecutionApiResult('chainExtension_inspect', result);
  return result as Inspection;
}

/** What `node extension inspect` prints. */
const command = (index: number, ...words: readonly string[]) => {
  const commandLine = parseCommandLine(
    inspectArguments([...words, '--rpc-url', client.nodeAt(index).url]),
    inspectOptions,
  );
  return inspectExtension(
    loadConfig({ service: 'node', options: inspectOptions, commandLine, environment: {} }),
  );
};

describe('nested contracts (P-42)', () => {
  let storec: string;
  let storeb: string;
  beforeAll(async () => {
    storec = await create('Stores.sol', 'StoreC', [10]);
    storeb = await create('Stores.sol', 'StoreB', [100, storec]);
  });

  it('are measured at their parties, which see the same root', async () => {
    const [seen, other] = [await inspect(CREATOR, storec), await inspect(PARTY, storec)];
    const [root] = await client.storageRoots(storec);
    expect(seen).toMatchObject({
      held: { slots: 1, storageRoot: root, balance: '0x0', privacyFlag: 0, isShareable: true, refersTo: [] },
      limits: { slots: 100_000, bytes: 7_340_032 },
      extensions: [],
      extensionCount: 0,
    });
    expect(other.held).toEqual(seen.held);
    expect(await command(CREATOR, storec)).toContain(`storage     root ${root}`);
  });

  it('are named where one refers to another that the new party lacks, until it is extended to it', async () => {
    expect((await inspect(CREATOR, storeb)).held?.refersTo).toEqual([
      { address: storec, foundIn: 'code', privacyFlag: 0 },
    ]);
    const management = await client.begin(CREATOR, INVITED, storec);
    await client.minedAll(await client.approve(INVITED, management, true));
    await client.ended([CREATOR, INVITED], management);
    const after = await inspect(CREATOR, storeb, client.key(INVITED));
    expect(after.held?.refersTo).toMatchObject([{ address: storec, isWithNewParty: true }]);
  });
});

describe('a protected contract whose storage refers to another', () => {
  let child: string;
  let contract: string;
  let management: string;
  beforeAll(async () => {
    contract = await create('StorageMaster.sol', 'StorageMaster', [], { privacyFlag: 1 });
    const data = master.encodeFunctionData('createSimpleStorage', [10]);
    await client.mine(CREATOR, { to: contract, data, parties: [PARTY], privacyFlag: 1 });
    const asked = [{ to: contract, data: master.encodeFunctionData('child') }];
    const answer = await client.nodeAt(CREATOR).result<string>('eth_call', asked);
    child = String(master.decodeFunctionResult('child', answer)[0]).toLowerCase();
    management = await client.begin(CREATOR, INVITED, contract);
    await client.initiatorVoted(CREATOR, management);
  });

  it('is shown at the initiator with its parties, votes, and what will not work', async () => {
    const seen = await inspect(CREATOR, contract);
    const parties = expect.arrayContaining([client.key(CREATOR), client.key(PARTY)]);
    expect(seen).toMatchObject({
      held: {
        privacyFlag: 1,
        parties,
        refersTo: [{ address: child, foundIn: 'storage', parties, isWithNewParty: false }],
      },
      extensions: [
        {
          managementContractAddress: management,
          isInitiator: true,
          isApproved: false,
          votes: [
            { account: client.account(CREATOR), hasVoted: true },
            { account: client.account(INVITED), hasVoted: false },
          ],
        },
      ],
    });
    expect(await inspect(CREATOR, management)).toMatchObject({ contract });
    const printed = await command(CREATOR, contract);
    expect(printed).toContain(`private contract ${child} in its storage, which the new party does not have`);
    expect(printed).toContain(`party       ${client.key(PARTY)}`);
    expect(printed).toContain(`vote        ${client.account(INVITED)} has not voted`);
  });

  it('is shown at the recipient by its extension alone, before and without an approval', async () => {
    const seen = await inspect(INVITED, contract);
    expect(seen.held).toBeUndefined();
    expect(seen).toMatchObject({
      extensionCount: 1,
      extensions: [
        {
          managementContractAddress: management,
          isInitiator: false,
          isRecipient: true,
          initiator: client.account(CREATOR),
          initiatorPtmKey: client.key(CREATOR),
          votes: [{ hasVoted: true }, { hasVoted: false }],
        },
      ],
    });
    const [own] = (await inspect(CREATOR, contract)).extensions;
    expect(seen.extensions[0]?.managementCodeHash).toBe(own?.managementCodeHash);
    const printed = await command(INVITED, management);
    expect(printed).toContain('this node does not have the contract');
    expect(printed).toContain(`initiator   ${client.account(CREATOR)}, key ${client.key(CREATOR)}`);
    expect(await command(PARTY, management)).toContain('this node is another party');
  });

  it('is in the file of active extensions at every party of the extension, for scripts', async () => {
    for (const index of [CREATOR, PARTY, INVITED]) {
      const folder = await client.nodeAt(index).result<string>('admin_datadir');
      const path = join(folder, 'activeExtensions.json');
      await until(() => existsSync(path) && readFileSync(path, 'utf8').includes(management));
      expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
        psiContracts: { private: { [management]: (await client.active(CREATOR))[0] } },
      });
    }
  });

  it('is refused for other contracts and for invalid keys', async () => {
    const { error } = await client.call(INVITED, 'inspect', STRANGER);
    expect(error).toMatchObject({ data: { reason: 'NOT_A_PRIVATE_CONTRACT' } });
    await expect(command(CREATOR)).rejects.toThrow('say what to inspect');
    await expect(command(CREATOR, contract, '--to', 'nothing')).rejects.toThrow('--to must be the key');
    await expect(command(CREATOR, STRANGER)).rejects.toThrow(
      'this node has no private contract at the address',
    );
  });
});
