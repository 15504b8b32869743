import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Endpoints } from '@tetrad/devnet';
import { until } from '@tetrad/testkit';
import { Interface, Wallet } from 'ethers';
import {
  CREATION,
  DONE,
  found,
  randomEnode,
  word,
  type Engine,
  type Entry,
  type MinedReceipt,
  type PermittedNetwork,
} from './permitted-network.js';
import { Web3jClient, type Place } from './web3j-client.js';

/**
 * The tests of web3j with its library for private networks.
 * @param libraries - folder of its classes
 * @param networkOf - the network, once it is up
 */
export function testWeb3j(engine: Engine, libraries: string, networkOf: () => PermittedNetwork): void {
  let network: PermittedNetwork;
  let java: Web3jClient;
  beforeAll(() => {
    network = networkOf();
    java = new Web3jClient(libraries);
  });
  afterAll(() => java?.stop());

  const placeOf = (index: number): Place => ({
    node: network.node(index).rpc,
    manager: `${network.node(index).ptm}`,
  });
  const call = <Result = unknown>(index: number, method: string, ...args: readonly unknown[]) =>
    java.call<Result>(placeOf(index), method, args);
  const manage = (index: number, manager: string, transaction: object) =>
    java.call<string>(placeOf(index), manager, transaction);
  const between = (from: number, to: number, privacyFlag = 0) => ({
    from: network.admin(from),
    privateFrom: network.key(from),
    privateFor: [network.key(to)],
    privacyFlag,
  });
  const signer = () => network.endpoints.funded[0] as Endpoints['funded'][number];

  it('sends private transactions with an account of the node, of each kind of privacy', async () => {
    for (const flag of [0, 1, 3]) {
      const parties = between(0, 1, flag);
      const created = await call<string>(0, 'ethSendTransaction', { ...parties, data: CREATION });
      const { contractAddress: to } = await network.mined(created);
      const set = await manage(0, 'ClientTransactionManager', { ...parties, to, data: word(50 + flag) });
      expect(await network.mined(set)).toMatchObject({ status: '0x1' });
      expect(await network.slots(to)).toEqual([word(50 + flag), word(50 + flag), word(0)]);
      expect(await call(1, 'quorumGetPrivatePayload', await network.inputOf(set))).toBe(word(50 + flag));
      expect(await call(0, 'ethGetQuorumTransactionReceipt', set)).toMatchObject({ transactionHash: set });
      if (flag === 0) continue;
      const metadata = await call(0, 'quorumGetContractPrivacyMetadata', to);
      expect(metadata).toMatchObject({ privacyFlag: flag });
    }
    expect(await call(0, 'upCheck')).toBe(true);
  });

  it('sends a transaction that it signed itself, over a payload that it stored with the manager', async () => {
    const parties = {
      privateFrom: network.key(0),
      privateFor: [network.key(1)],
      privateKey: signer().privateKey,
    };
    const created = await manage(0, 'QuorumTransactionManager', { ...parties, data: CREATION });
    const { contractAddress: to } = await network.mined(created);
    const set = await manage(0, 'QuorumTransactionManager', { ...parties, to, data: word(61) });
    expect(await network.mined(set)).toMatchObject({ status: '0x1' });
    expect(await network.slots(to)).toEqual([word(61), word(61), word(0)]);
  });

  it('distributes a private transaction, and reads it behind its marker', async () => {
    const { address, privateKey } = signer();
    const count = Number(await network.ask(0, 'eth_getTransactionCount', address, 'pending'));
    const parties = { privateFrom: network.key(0), privateFor: [network.key(1)], privateKey };
    // The marker and the transaction behind it have one sender and one nonce.
    const inner = await manage(0, 'sign', { ...parties, nonce: count, data: CREATION });
    const carried = await call<string>(0, 'ethDistributePrivateTransaction', inner, [network.key(1)], 0);
    const marker = await new Wallet(privateKey).signTransaction({
      type: 0,
      chainId: network.endpoints.chainId,
      nonce: count,
      gasLimit: 60_000,
      gasPrice: 0,
      data: carried,
      to: await call<string>(0, 'ethGetPrivacyPrecompileAddress'),
    });
    const hash = await call<string>(0, 'ethSendRawTransaction', marker);
    await network.mined(hash);
    for (const [index, status] of ['0x1', '0x1', undefined].entries()) {
      const receipt = await call<MinedReceipt | null>(index, 'ethGetPrivateTransactionReceipt', hash);
      expect(receipt?.status).toBe(status);
    }
    expect(await call(1, 'ethGetPrivateTransactionByHash', hash)).toMatchObject({
      from: address.toLowerCase(),
    });
  });

  const as = (index: number) => ({ from: network.admin(index) });
  const done = async (index: number, method: string, ...args: readonly unknown[]) =>
    expect(await call(index, `quorumPermission${method}`, ...args, as(index))).toBe(DONE);
  /** A majority of the three network admins. */
  const approve = async (method: string, ...args: readonly unknown[]) => {
    for (const index of [0, 1]) await done(index, method, ...args);
  };
  /** Waits until every node lists such an entry. */
  const listed = async (list: string, wanted: Entry) => {
    for (const index of network.indexes)
      await until(async () => found(await call(index, `quorumPermissionGet${list}List`), wanted));
  };
  /** A network admin whose key no node has. */
  const outsider = Wallet.createRandom();
  const outsiderAddress = outsider.address.toLowerCase();
  const [memberNode, addedNode] = [randomEnode(engine), randomEnode(engine)];

  it('brings an organization in, suspends it and lets it go on', async () => {
    const org = 'WEB3JORG';
    const account = Wallet.createRandom().address.toLowerCase();
    const proposal = [org, memberNode, account];
    const is = (status: number) => listed('Org', { fullOrgId: org, status });
    await done(0, 'AddOrg', ...proposal);
    await is(1);
    await approve('ApproveOrg', ...proposal);
    await is(2);
    await done(0, 'UpdateOrgStatus', org, 1);
    await is(3);
    await approve('ApproveOrgStatus', org, 1);
    await is(4);
    await done(0, 'UpdateOrgStatus', org, 2);
    await is(5);
    await approve('ApproveOrgStatus', org, 2);
    await is(2);
    await listed('Account', { acctId: account, orgId: org, orgAdmin: true, status: 2 });
    await done(0, 'AddSubOrg', 'ADMINORG', 'WEB3JSUB', '');
    await listed('Org', { fullOrgId: 'ADMINORG.WEB3JSUB', level: 2, status: 2 });
    const details = await call<{ nodeList: readonly Entry[]; acctList: readonly Entry[] }>(
      0,
      'quorumPermissionGetOrgDetails',
      org,
    );
    expect(details.nodeList).toMatchObject([{ url: memberNode, status: 2 }]);
    expect(details.acctList).toMatchObject([{ acctId: account }]);
  });

  it('gives an account a role and another one, blacklists it and recovers it', async () => {
    const account = Wallet.createRandom().address.toLowerCase();
    const org = 'ADMINORG';
    const is = (status: number) => listed('Account', { acctId: account, status });
    for (const role of ['WEB3JROLE', 'WEB3JOTHER']) await done(0, 'AddNewRole', org, role, 3, false, false);
    await listed('Role', { roleId: 'WEB3JOTHER', access: 3, active: true });
    await done(0, 'AddAccountToOrg', account, org, 'WEB3JROLE');
    await listed('Account', { acctId: account, roleId: 'WEB3JROLE' });
    await done(0, 'ChangeAccountRole', account, org, 'WEB3JOTHER');
    await listed('Account', { acctId: account, roleId: 'WEB3JOTHER', status: 2 });
    await done(0, 'RemoveRole', org, 'WEB3JROLE');
    await listed('Role', { roleId: 'WEB3JROLE', active: false });
    await done(0, 'UpdateAccountStatus', org, account, 1);
    await is(4);
    await done(0, 'UpdateAccountStatus', org, account, 3);
    await is(5);
    await done(0, 'RecoverBlackListedAccount', org, account);
    await is(7);
    await approve('ApproveBlackListedAccountRecovery', org, account);
    await is(2);
  });

  it('adds a node, blacklists it and recovers it', async () => {
    const [org, enode] = ['ADMINORG', addedNode];
    const is = (status: number) => listed('Node', { url: enode, status });
    await done(0, 'AddNode', org, enode);
    await is(2);
    await done(0, 'UpdateNodeStatus', org, enode, 1);
    await is(3);
    await done(0, 'UpdateNodeStatus', org, enode, 3);
    await is(4);
    await done(0, 'RecoverBlackListedNode', org, enode);
    await is(5);
    await approve('ApproveBlackListedNodeRecovery', org, enode);
    await is(2);
  });

  it('makes an account a network admin', async () => {
    await done(0, 'AssignAdminRole', 'ADMINORG', outsiderAddress, 'ADMIN');
    await listed('Account', { acctId: outsiderAddress, roleId: 'ADMIN', status: 1 });
    await approve('ApproveAdminRole', 'ADMINORG', outsiderAddress);
    await listed('Account', { acctId: outsiderAddress, roleId: 'ADMIN', status: 2 });
  });

  it('extends contracts, with the approval of a node and with one that is signed elsewhere', async () => {
    const create = async () => {
      const hash = await call<string>(0, 'ethSendTransaction', { ...between(0, 1), data: CREATION });
      return (await network.mined(hash)).contractAddress;
    };
    const extend = async (contract: string, to: string) => {
      const words = [contract, network.key(2), to, between(0, 2)];
      const { contractAddress: managementContractAddress } = await network.mined(
        await call<string>(0, 'quorumExtensionExtendContract', ...words),
      );
      await until(async () =>
        found(await call(2, 'quorumExtensionActiveExtensionContracts'), { managementContractAddress }),
      );
      return managementContractAddress;
    };
    const ended = (management: string) =>
      until(async () => (await call(2, 'quorumExtensionGetExtensionStatus', management)) === 'DONE');
    const [before, after] = [
      [word(42), word(42), word(0)],
      [word(42), word(42), word(42)],
    ];

    const contract = await create();
    const dropped = await extend(contract, network.admin(2));
    await network.mined(await call<string>(0, 'quorumExtensionCancelExtension', dropped, between(0, 2)));
    await ended(dropped);
    expect(await network.slots(contract)).toEqual(before);
    const accepted = await extend(contract, network.admin(2));
    await call(2, 'quorumExtensionApproveExtension', accepted, true, between(2, 0));
    await ended(accepted);
    expect(await network.slots(contract)).toEqual(after);

    const another = await create();
    const voted = await extend(another, outsiderAddress);
    const parties = { ...between(2, 0), from: outsiderAddress };
    const uuid = await call<string>(
      2,
      'quorumExtensionGenerateExtensionApprovalUuid',
      voted,
      outsiderAddress,
      parties,
    );
    const voting = new Interface(['function doVote(bool vote, string nextuuid)']);
    await manage(2, 'QuorumTransactionManager', {
      ...parties,
      privateKey: outsider.privateKey,
      to: voted,
      data: voting.encodeFunctionData('doVote', [true, uuid]),
    });
    await ended(voted);
    expect(await network.slots(another)).toEqual(after);
  });
}
