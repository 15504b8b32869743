import { beforeAll, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { Wallet } from 'ethers';
import {
  CREATION,
  DONE,
  found,
  randomEnode,
  word,
  type Engine,
  type PermittedNetwork,
} from './permitted-network.js';
import { web3Of } from './web3js-quorum.js';

/**
 * The tests of web3.js with its package for private networks.
 * @param networkOf - the network, once it is up
 */
export function testWeb3js(engine: Engine, networkOf: () => PermittedNetwork): void {
  let network: PermittedNetwork;
  beforeAll(() => {
    network = networkOf();
  });

  it('sends private transactions, reads payloads and privacy metadata of contracts', async () => {
    const web3 = web3Of(network.node(0));
    const request = {
      from: network.admin(0),
      gas: 1_000_000,
      privateFrom: network.key(0),
      privateFor: [network.key(1)],
    };
    const created = await web3.eth.sendGoQuorumTransaction({ ...request, data: CREATION, privacyFlag: 1 });
    const { contractAddress: contract } = await network.mined(created.transactionHash);
    expect(await network.slots(contract)).toEqual([word(42), word(42), word(0)]);
    const set = await web3.eth.sendGoQuorumTransaction({
      ...request,
      to: contract,
      data: word(43),
      privacyFlag: 1,
    });
    expect(await network.mined(set.transactionHash)).toMatchObject({ status: '0x1' });
    expect(await network.slots(contract)).toEqual([word(43), word(43), word(0)]);
    expect(await web3.eth.getQuorumPayload(await network.inputOf(set.transactionHash))).toBe(word(43));
    expect(await web3.eth.getContractPrivacyMetadata(contract)).toMatchObject({ privacyFlag: 1 });
  });

  it('extends a contract to a new party', async () => {
    const [first, third] = [web3Of(network.node(0)), web3Of(network.node(2))];
    const { transactionHash } = await first.eth.sendGoQuorumTransaction({
      from: network.admin(0),
      data: CREATION,
      gas: 1_000_000,
      privateFrom: network.key(0),
      privateFor: [network.key(1)],
    });
    const { contractAddress: contract } = await network.mined(transactionHash);
    const by = (from: string, privateFor: readonly string[]) => ({ from, privateFor });
    const begun = (await first.quorumExtension['extendContract']?.(
      contract,
      network.key(2),
      network.admin(2),
      by(network.admin(0), [network.key(2)]),
    )) as string;
    const { contractAddress: management } = await network.mined(begun);
    await until(async () =>
      found(await third.quorumExtension['activeExtensionContracts']?.(), {
        managementContractAddress: management,
      }),
    );
    await third.quorumExtension['approveExtension']?.(
      management,
      true,
      by(network.admin(2), [network.key(0)]),
    );
    await until(async () => (await third.quorumExtension['getExtensionStatus']?.(management)) === 'DONE');
    expect(await network.slots(contract)).toEqual([word(42), word(42), word(42)]);
  });

  it('lists permissions, and changes them from an account', async () => {
    const { permission, signed } = web3Of(network.node(0));
    const admin = { from: network.admin(0) };
    const [org, role] = ['WEB3ORG', 'WEB3ROLE'];
    const account = Wallet.createRandom().address.toLowerCase();
    const enode = randomEnode(engine);
    expect(await permission['nodeList']?.()).toHaveLength(3);
    expect(found(await permission['acctList']?.(), { acctId: network.admin(0), isOrgAdmin: true })).toBe(
      true,
    );
    // As with the original: every change needs a sender.
    await expect(permission['addOrg']?.(org, enode, account)).rejects.toThrow('missing value for required');
    expect(await signed['addNewRole']?.('ADMINORG', role, 3, false, false, admin)).toBe(DONE);
    await until(async () => found(await permission['roleList']?.(), { roleId: role }));
    expect(await signed['addAccountToOrg']?.(account, 'ADMINORG', role, admin)).toBe(DONE);
    const is = (status: number) => async () =>
      found(await permission['acctList']?.(), { acctId: account, roleId: role, status });
    await until(is(2));
    expect(await signed['updateAccountStatus']?.('ADMINORG', account, 1, admin)).toBe(DONE);
    await until(is(4));
    expect(await permission['getOrgDetails']?.('ADMINORG')).toMatchObject({ subOrgList: null });
  });
}
