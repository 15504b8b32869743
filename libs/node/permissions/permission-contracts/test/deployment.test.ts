import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Address, Hex } from '@tetrad/types';
import { Chain } from '../../../chain/execution/src/testing/chain.js';
import {
  deployPermissions,
  permissionConfigText,
  permissionViews,
  type PermissionAddresses,
} from '../src/index.js';
import {
  GUARDIAN,
  POLICY,
  PermissionChain,
  STRANGER,
  accountOf,
  nodeOf,
  senderOf,
} from './permission-chain.js';

const ADMIN = accountOf(1);

describe.each(['v1', 'v2'] as const)('deploying the contracts of %s', (model) => {
  it.each(['byzantium', 'berlin'] as const)('works on a chain of %s', async (fork) => {
    const network = await PermissionChain.deploy(model, fork);
    expect(new Set(Object.values(network.addresses)).size).toBe(8);
    expect(await network.view(permissionViews(model).networkBootStatus)).toBe(false);
    expect(await network.view(permissionViews(model).implementation)).toBe(network.addresses.implementation);
  });

  it('resumes after an interruption at any step', async () => {
    const stage = (await Chain.start({ fork: 'byzantium' })).simulation();
    const sender = senderOf(stage, GUARDIAN);
    let deployed: Readonly<Partial<PermissionAddresses>> = {};
    let creations = 0;
    /** Makes one more creation, and then fails. */
    const attempt = () => {
      let left = 1;
      const create = async (code: Hex): Promise<Address> => {
        if (left-- === 0) throw new Error('connection lost');
        creations++;
        return sender.create(code);
      };
      return deployPermissions({
        model,
        ...sender,
        create,
        deployed,
        onDeployed: (so) => void (deployed = so),
      });
    };
    for (let count = 1; count < 8; count++) {
      await expect(attempt()).rejects.toThrow('connection lost');
      expect(Object.keys(deployed)).toHaveLength(count);
    }
    const lostAnswer = async (to: Address, data: Hex) => {
      await sender.send(to, data);
      throw new Error('connection lost');
    };
    const last = { model, ...sender, deployed, onDeployed: (so: typeof deployed) => void (deployed = so) };
    await expect(deployPermissions({ ...last, send: lostAnswer })).rejects.toThrow('connection lost');
    expect(await deployPermissions({ ...last, deployed })).toEqual(deployed);
    expect(creations).toBe(7);
  });

  it('fails when the call that connects them is reverted', async () => {
    const stage = (await Chain.start({ fork: 'byzantium' })).simulation();
    const stranger = senderOf(stage, STRANGER);
    await expect(deployPermissions({ model, ...stranger, guardian: GUARDIAN })).rejects.toThrow(
      'invalid caller',
    );
  });
});

describe('the guardian’s contract', () => {
  let network: PermissionChain;
  const change = (from: Address, implementation: Address) =>
    network.callContract(from, 'upgradable', 'confirmImplChange', [implementation]);

  beforeAll(async () => {
    network = await PermissionChain.boot('v2', [ADMIN]);
  });

  it('is initialized once, by the guardian', async () => {
    const { interface: permissionsInterface, implementation } = network.addresses;
    const init = (from: Address) =>
      network.callContract(from, 'upgradable', 'init', [permissionsInterface, implementation]);
    expect(await init(STRANGER)).toEqual({ revert: 'invalid caller' });
    expect(await init(GUARDIAN)).toEqual({ revert: 'can be executed only once' });
  });

  it('returns the addresses of guardian, interface and implementation', async () => {
    const { implementation, interface: permissionsInterface } = network.addresses;
    const ask = async (name: string) =>
      String((await network.ask(STRANGER, 'upgradable', name, []))[0]).toLowerCase();
    expect(await ask('getGuardian')).toBe(GUARDIAN);
    expect(await ask('getPermImpl')).toBe(implementation);
    expect(await ask('getPermInterface')).toBe(permissionsInterface);
  });

  it('replaces the implementation by another one, which keeps policy, boot status and records', async () => {
    const propose = { name: 'addOrg', orgId: 'ABC', node: nodeOf(2), account: accountOf(2) } as const;
    await network.succeed(ADMIN, propose);
    const before = await network.records();
    const policy = await network.ask(STRANGER, 'implementation', 'getPolicyDetails', []);
    const former = network.addresses.implementation;
    const successor = await network.deployImplementation();
    expect(await change(STRANGER, successor)).toEqual({ revert: 'invalid caller' });
    expect(await change(GUARDIAN, successor)).toHaveProperty('events');
    expect(await network.view(permissionViews('v2').implementation)).toBe(successor);
    expect(await network.view(permissionViews('v2').networkBootStatus)).toBe(true);
    expect(await network.records()).toEqual(before);
    Object.assign(network.addresses, { implementation: successor });
    expect(await network.ask(STRANGER, 'implementation', 'getPolicyDetails', [])).toEqual(policy);
    expect(policy).toEqual([...Object.values(POLICY), true]);
    expect(await network.operate(ADMIN, { ...propose, name: 'approveOrg' })).toHaveProperty('events');
    // Managers reject calls from the previous one, and it cannot be set again.
    expect(await change(GUARDIAN, former)).toEqual({ revert: 'Incorrect network boot status' });
  });

  it('is the only one that may give a policy to an implementation, or an implementation to the interface', async () => {
    const values = ['A', 'B', 'C', true];
    expect(await network.callContract(GUARDIAN, 'implementation', 'setMigrationPolicy', values)).toEqual({
      revert: 'Incorrect network boot status',
    });
    const fresh = await PermissionChain.deploy('v2');
    expect(await fresh.callContract(GUARDIAN, 'implementation', 'setMigrationPolicy', values)).toEqual({
      revert: 'invalid caller',
    });
    expect(await fresh.callContract(GUARDIAN, 'interface', 'setPermImplementation', [STRANGER])).toEqual({
      revert: 'invalid caller',
    });
  });
});

describe('permission-config.json', () => {
  it('has the keys that nodes read', async () => {
    const { addresses } = await PermissionChain.deploy('v2');
    const policy = { model: 'v2', ...POLICY, accounts: [ADMIN], subOrgDepth: 4, subOrgBreadth: 3 } as const;
    const text = permissionConfigText(policy, addresses);
    expect(JSON.parse(text)).toEqual({
      permissionModel: 'v2',
      upgrdableAddress: addresses.upgradable,
      interfaceAddress: addresses.interface,
      implAddress: addresses.implementation,
      nodeMgrAddress: addresses.nodeManager,
      accountMgrAddress: addresses.accountManager,
      roleMgrAddress: addresses.roleManager,
      voterMgrAddress: addresses.voterManager,
      orgMgrAddress: addresses.orgManager,
      nwAdminOrg: 'ADMINORG',
      nwAdminRole: 'NWADMIN',
      orgAdminRole: 'ORGADMIN',
      accounts: [ADMIN],
      subOrgDepth: 4,
      subOrgBreadth: 3,
    });
    expect(text.endsWith('}\n')).toBe(true);
  });
});
