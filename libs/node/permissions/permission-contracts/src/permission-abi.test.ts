import { describe, expect, it } from '@jest/globals';
import { bytesFromHex, hexFromBytes, parseAddress, parseHash, type Hash } from '@tetrad/types';
import { permissionAbi, type PermissionContract, type PermissionModel } from './permission-abi.js';
import { decodeEvent, permissionTopics } from './permission-event.js';
import { NO_NODE, encodeOperation } from './permission-operation.js';
import { permissionDecisions, permissionViews } from './permission-view.js';

const ACCOUNT = parseAddress(`0x${'a1'.repeat(20)}`);
const NODE = {
  url: 'enode://ab@10.0.0.1:30303?discport=0',
  enodeId: 'ab'.repeat(64),
  ip: '10.0.0.1',
  port: 30_303,
  raftPort: 50_400,
};
const selector = (model: PermissionModel, contract: PermissionContract, name: string) =>
  permissionAbi(model, contract).getFunction(name)?.selector;
const topic = (model: PermissionModel, contract: PermissionContract, name: string) =>
  permissionAbi(model, contract).getEvent(name)?.topicHash;

describe('the ABI of the permission contracts', () => {
  it.each<[PermissionModel, PermissionContract, string, string]>([
    ['v2', 'interface', 'transactionAllowed', '0x936421d5'],
    ['v2', 'interface', 'connectionAllowed', '0x45a59e5b'],
    ['v1', 'interface', 'getNetworkBootStatus', '0x4cbfa82e'],
    ['v2', 'interface', 'getNetworkBootStatus', '0x4cbfa82e'],
    ['v1', 'interface', 'getPendingOp', '0xf346a3a7'],
    ['v1', 'interface', 'addOrg', '0x8f362a3e'],
    ['v2', 'interface', 'addOrg', '0x513a3277'],
    ['v1', 'interface', 'updateNodeStatus', '0x0cc50146'],
    ['v1', 'interface', 'addAdminAccount', '0x4fe57e7a'],
    ['v1', 'interface', 'setPolicy', '0x1b610220'],
    ['v1', 'interface', 'init', '0xa5843f08'],
    ['v1', 'interface', 'setPermImplementation', '0x511bbd9f'],
    ['v1', 'interface', 'approveOrgStatus', '0x5be9672c'],
    ['v1', 'implementation', 'setMigrationPolicy', '0xf5ad584a'],
    ['v1', 'implementation', 'getPolicyDetails', '0xcc9ba6fa'],
    ['v1', 'upgradable', 'getPermImpl', '0x0e32cf90'],
    ['v1', 'nodeManager', 'getNodeDetailsFromIndex', '0x97c07a9b'],
    ['v1', 'roleManager', 'getRoleDetails', '0x1870aba3'],
    ['v1', 'accountManager', 'getAccountDetails', '0x2aceb534'],
  ])('of %s has, in the %s, %s as %s', (model, contract, name, expected) => {
    expect(selector(model, contract, name)).toBe(expected);
  });

  it.each<[PermissionModel, PermissionContract, string, string]>([
    [
      'v1',
      'orgManager',
      'OrgPendingApproval',
      '0e8b7be64e0c730234ba2cd252b227fb481d7a247ba806d1941144c535bf054b',
    ],
    ['v1', 'orgManager', 'OrgApproved', 'd705723a50859c9cc1d3953e10b8b9478820e7a62927ad3215897ed87b20591c'],
    ['v1', 'orgManager', 'OrgSuspended', '73ccf8d6c8385bf5347269bd59712da33183c1a5e1702494bcdb87d0f4674d96'],
    [
      'v1',
      'orgManager',
      'OrgSuspensionRevoked',
      '882f030c609566cd82918a97d457fd48f9cfcefd11282e2654cde3f94579c15f',
    ],
    ['v1', 'roleManager', 'RoleCreated', 'efa5bc1bedbee25b04b00855c15a0c180ecb4a2440d4d08296e49561655e2b1c'],
    ['v1', 'roleManager', 'RoleRevoked', '1196059dd83524bf989fd94bb65808c09dbea2ab791fb6bfa87a0e0aa64b2ea6'],
    [
      'v1',
      'accountManager',
      'AccountAccessModified',
      '68e62a03aeb0a125c2fc869eed72f2fca473680987bdd680c093a534e17cc776',
    ],
    [
      'v1',
      'accountManager',
      'AccountAccessRevoked',
      '6b5105396435a8a139aeed682dd573cd2a7e6279de77f8c11f95a30399212ad1',
    ],
    [
      'v1',
      'accountManager',
      'AccountStatusChanged',
      '36b0ea38154dec5e98b6bf928b971a9db5e8cd4b6946350e9e43fb9848c70b25',
    ],
    ['v1', 'nodeManager', 'NodeApproved', '0413ce00d5de406d9939003416263a7530eaeb13f9d281c8baeba1601def960d'],
    ['v1', 'nodeManager', 'NodeProposed', 'b1a7eec7dd1a516c3132d6d1f770758b19aa34c3a07c138caf662688b7e3556f'],
    [
      'v1',
      'nodeManager',
      'NodeDeactivated',
      'c6c3720fe673e87bb26e06be713d514278aa94c3939cfe7c64b9bea4d486824a',
    ],
    [
      'v1',
      'nodeManager',
      'NodeActivated',
      '49796be3ca168a59c8ae46c75a36a9bb3a84753d3e12a812f93ae010e783b14f',
    ],
    [
      'v1',
      'nodeManager',
      'NodeBlacklisted',
      '4714623279994517c446c8fb72c3fdaca26434da1e2490d3976fe0cd880cfa7a',
    ],
    [
      'v1',
      'nodeManager',
      'NodeRecoveryInitiated',
      'fd385c618a1e89d01fb9a21780846793e282e8bc0b60caf6ccb3e422d543fbfb',
    ],
    [
      'v1',
      'nodeManager',
      'NodeRecoveryCompleted',
      '787d7bc525e7c4658c64e3e456d974a1be21cc196e8162a4bf1337a12cb38dac',
    ],
    ['v2', 'nodeManager', 'NodeApproved', '9394c836a3325586270659f6aa3b9f835abca9afe7fec5abfc69760bb12bce0d'],
    ['v2', 'nodeManager', 'NodeProposed', 'f9bad9f8a2dccc52fad61273a7fd673335b420319506c19b87df9ce7a19732da'],
    [
      'v2',
      'nodeManager',
      'NodeDeactivated',
      'f631019be71bc682c59150635d714061185232e98e60de8bdd87bbee239cc5c8',
    ],
    [
      'v2',
      'nodeManager',
      'NodeActivated',
      'fb98f62dea866f0c373574c8523f611d0db1d8f19cc1b95d07a221d36a6a45de',
    ],
    [
      'v2',
      'nodeManager',
      'NodeBlacklisted',
      '25300d4d785e654bc9b7979700cfa0fdc9ace890a46841fecfce661fd2c41a33',
    ],
    [
      'v2',
      'nodeManager',
      'NodeRecoveryInitiated',
      '72779f66ea90e28bae76fbfe03eaef5ae01699976c7493f93186ab9560ccfaa4',
    ],
    [
      'v2',
      'nodeManager',
      'NodeRecoveryCompleted',
      '60aac8c36efdaabf125dc9ec2124bde8b3ceafe5c8b4fc8063fc4ac9017eb0be',
    ],
    ['v2', 'voterManager', 'VoterAdded', '424f3ad05c61ea35cad66f22b70b1fad7250d8229921238078c401db36d34574'],
    [
      'v2',
      'voterManager',
      'VoterDeleted',
      '654cd85d9b2abaf3affef0a047625d088e6e4d0448935c9b5016b5f5aa0ca3b6',
    ],
    [
      'v2',
      'voterManager',
      'VotingItemAdded',
      '5bfaebb5931145594f63236d2a59314c4dc6035b65d0ca4cee9c7298e2f06ca3',
    ],
    [
      'v2',
      'voterManager',
      'VoteProcessed',
      '87999b54e45aa02834a1265e356d7bcdceb72b8cbb4396ebaeba32a103b43508',
    ],
    [
      'v2',
      'implementation',
      'PermissionsInitialized',
      '04f651be6fb8fc575d94591e56e9f6e66e33ef23e949765918b3bdae50c617cf',
    ],
  ])('of %s has, in the %s, %s with its topic', (model, contract, name, expected) => {
    expect(topic(model, contract, name)).toBe(`0x${expected}`);
    expect(permissionTopics(model).has(`0x${expected}`)).toBe(true);
  });
});

describe('operations', () => {
  const decoded = (model: PermissionModel, ...[operation]: [Parameters<typeof encodeOperation>[1]]) =>
    permissionAbi(model, 'interface')
      .parseTransaction({ data: encodeOperation(model, operation) })
      ?.args.toArray();

  it('name a node by its URL in v1, and by its parts in v2', () => {
    const operation = { name: 'addOrg', orgId: 'ABC', node: NODE, account: ACCOUNT } as const;
    expect(decoded('v1', operation)?.slice(0, 2)).toEqual(['ABC', NODE.url]);
    expect(decoded('v2', operation)?.slice(0, 5)).toEqual(['ABC', NODE.enodeId, NODE.ip, 30_303n, 50_400n]);
    expect(decoded('v2', operation)?.[5].toLowerCase()).toBe(ACCOUNT);
  });

  it('have their arguments in the order of the contract', () => {
    expect(decoded('v1', { name: 'addSubOrg', parentOrgId: 'A', orgId: 'B', node: NO_NODE })).toEqual([
      'A',
      'B',
      '',
    ]);
    expect(decoded('v1', { name: 'updateNodeStatus', orgId: 'A', node: NODE, action: 3 })).toEqual([
      'A',
      NODE.url,
      3n,
    ]);
    expect(decoded('v2', { name: 'updateOrgStatus', orgId: 'A', action: 1 })).toEqual(['A', 1n]);
    const role = { roleId: 'R', orgId: 'A', access: 7, isVoter: true, isAdmin: false } as const;
    expect(decoded('v2', { name: 'addNewRole', ...role })).toEqual(['R', 'A', 7n, true, false]);
    const assigned = { orgId: 'A', account: ACCOUNT, roleId: 'R' };
    expect(
      decoded('v2', { name: 'assignAdminRole', ...assigned })?.filter((value) => value.length === 1),
    ).toEqual(['A', 'R']);
    expect(decoded('v2', { name: 'assignAccountRole', ...assigned })?.slice(1)).toEqual(['A', 'R']);
  });

  it('have the arguments of their names only, whatever other members they have', () => {
    const assigned = { name: 'assignAdminRole', orgId: 'A', account: ACCOUNT, roleId: 'R' } as const;
    const approved = decoded('v2', { ...assigned, name: 'approveAdminRole' });
    expect(approved?.map((value) => value.toLowerCase())).toEqual(['a', ACCOUNT]);
  });

  it('refuse an invalid port', () => {
    const node = { ...NODE, port: 65_536 };
    expect(() => encodeOperation('v2', { name: 'addNode', orgId: 'A', node })).toThrow(/out-of-bounds/);
  });
});

describe('views', () => {
  it('read an entry, with the full id of a sub-org', () => {
    const data = permissionAbi('v1', 'orgManager').encodeFunctionResult('getOrgInfo', [
      'C',
      'A.B',
      'A',
      3,
      2,
    ]);
    expect(permissionViews('v1').orgAt.decode(data as `0x${string}`)).toEqual({
      orgId: 'C',
      fullOrgId: 'A.B.C',
      parentOrgId: 'A.B',
      ultimateParent: 'A',
      level: 3,
      status: 2,
    });
  });

  it('fail on the empty answer of an account without code', () => {
    expect(() => permissionViews('v2').networkBootStatus.decode('0x')).toThrow();
    expect(() => permissionDecisions.transactionAllowed.decode('0x')).toThrow();
  });
});

describe('events', () => {
  const log = (model: PermissionModel, contract: PermissionContract, name: string, values: unknown[]) => {
    const { data, topics } = permissionAbi(model, contract).encodeEventLog(name, values);
    return { address: ACCOUNT, topics: topics.map(parseHash), data: bytesFromHex(data) };
  };

  it('of nodes are read in both models', () => {
    expect(decodeEvent('v1', log('v1', 'nodeManager', 'NodeApproved', [NODE.url, 'A']))).toEqual({
      name: 'NodeApproved',
      orgId: 'A',
      enodeId: NODE.url,
      ip: '',
      port: 0,
      raftPort: 0,
    });
    const { enodeId, ip, port, raftPort } = NODE;
    const v2 = log('v2', 'nodeManager', 'NodeBlacklisted', [enodeId, ip, port, raftPort, 'A']);
    expect(decodeEvent('v2', v2)).toEqual({
      name: 'NodeBlacklisted',
      orgId: 'A',
      enodeId,
      ip,
      port,
      raftPort,
    });
    expect(decodeEvent('v1', v2)).toBeUndefined();
  });

  it('are unknown with another topic or without topics, and fail when their data is cut', () => {
    const { data, ...rest } = log('v2', 'voterManager', 'VoterAdded', ['A', ACCOUNT]);
    expect(decodeEvent('v2', { ...rest, data, topics: [] })).toBeUndefined();
    expect(decodeEvent('v2', { ...rest, data, topics: [`0x${'00'.repeat(32)}` as Hash] })).toBeUndefined();
    expect(decodeEvent('v2', { ...rest, data })).toEqual({
      name: 'VoterAdded',
      networkAdminOrg: 'A',
      voter: ACCOUNT,
    });
    expect(hexFromBytes(data)).toHaveLength(2 + 2 * 128);
    expect(() => decodeEvent('v2', { ...rest, data: data.subarray(0, 64) })).toThrow();
  });
});
