import { beforeEach, describe, expect, it } from '@jest/globals';
import { permissionAbi } from '@tetrad/node-permission-contracts';
import { RequestError, ZERO_HASH, hexFromBytes, parseAddress, silentLogger } from '@tetrad/types';
import { parsePermissionConfig } from '../config/permission-config.js';
import { PermissionRecords } from '../records/permission-records.js';
import { NetworkBoot } from './network-boot.js';

const ADMINS = ['a1', 'b2'].map((byte) => parseAddress(`0x${byte.repeat(20)}`));
const config = parsePermissionConfig(
  JSON.stringify({
    permissionModel: 'v2',
    interfaceAddress: ADMINS[0],
    accounts: ADMINS,
    nwAdminOrg: 'NW',
    nwAdminRole: 'ADMIN',
    orgAdminRole: 'ORGADMIN',
    subOrgDepth: 4,
    subOrgBreadth: 3,
  }),
);
const nodes = ['aa', 'bb'].map((byte) => ({
  enodeId: byte.repeat(64),
  ip: '10.0.0.1',
  port: 1,
  raftPort: 0,
}));
const urlOf = (index: number) => `enode://${nodes[index]?.enodeId}@10.0.0.1:1?discport=0`;

describe('setting up the permissions of a network', () => {
  let [sent, records]: [string[], PermissionRecords] = [[], new PermissionRecords()];
  let chain = { areContractsThere: true, hasCaughtUp: true, isWaiting: false, rejection: '' };
  let boot: NetworkBoot;
  beforeEach(() => {
    [sent, records] = [[], new PermissionRecords()];
    chain = { areContractsThere: true, hasCaughtUp: true, isWaiting: false, rejection: '' };
    boot = new NetworkBoot({
      plan: { config, nodes, isRaft: false },
      records,
      logger: silentLogger,
      areContractsThere: async () => chain.areContractsThere,
      hasCaughtUp: () => chain.hasCaughtUp,
      sender: {
        isWaiting: async () => chain.isWaiting,
        send: async (data) => {
          if (chain.rejection !== '') throw new RequestError('POOL_FULL', chain.rejection);
          const call = permissionAbi('v2', 'interface').parseTransaction({ data: hexFromBytes(data) });
          sent.push([call?.name, ...(call?.args.map(String) ?? [])].join(' '));
          return ZERO_HASH;
        },
      },
    });
  });
  const initialise = () => {
    const role = { orgId: 'NW', roleId: 'ADMIN', access: 3, isVoter: true, isAdmin: true };
    records.apply({ name: 'RoleCreated', ...role });
  };

  it('sends all operations in order', async () => {
    await boot.look();
    expect(sent.map((call) => call.toLowerCase())).toEqual([
      'setpolicy nw admin orgadmin',
      'init 3 4',
      `addadminnode ${nodes[0]?.enodeId} 10.0.0.1 1 0`,
      `addadminnode ${nodes[1]?.enodeId} 10.0.0.1 1 0`,
      ...ADMINS.map((admin) => `addadminaccount ${admin}`),
      'updatenetworkbootstatus',
    ]);
    expect(boot.trouble()).toBe('the permissions of the network are not set up yet');
  });

  it('sends only operations that no node has sent', async () => {
    initialise();
    records.apply({ name: 'NodeApproved', orgId: 'NW', url: urlOf(0) });
    const account = { account: ADMINS[1] ?? ADMINS[0], orgId: 'NW', roleId: 'ADMIN', isOrgAdmin: true };
    records.apply({ name: 'AccountAccessModified', ...account, status: 2 } as never);
    await boot.look();
    expect(sent.map((call) => call.split(' ')[0])).toEqual([
      'addAdminNode',
      'addAdminAccount',
      'updateNetworkBootStatus',
    ]);
  });

  it('waits for contracts, for the chain, and for its own pending transactions', async () => {
    chain.areContractsThere = false;
    await boot.look();
    expect([sent, boot.trouble()]).toEqual([[], 'the permission contracts do not answer yet']);
    [chain.areContractsThere, chain.hasCaughtUp] = [true, false];
    await boot.look();
    expect([sent, boot.trouble()]).toEqual([[], expect.stringContaining('this node waits for a peer')]);
    [chain.hasCaughtUp, chain.isWaiting] = [true, true];
    await boot.look();
    expect(sent).toEqual([]);
    chain.isWaiting = false;
    await boot.look();
    expect(sent).toHaveLength(7);
  });

  it('continues after a rejection, and reports it meanwhile', async () => {
    chain.rejection = 'txpool is full';
    await boot.look();
    expect(boot.trouble()).toBe('the permissions of the network are not set up yet: txpool is full');
    chain.rejection = '';
    await boot.look();
    expect(sent).toHaveLength(7);
  });

  it('ends once the network is set up, by any node', async () => {
    records.apply({ name: 'PermissionsInitialized', networkBoot: true });
    await boot.look();
    expect([sent, boot.trouble(), boot.isDone]).toEqual([[], undefined, true]);
  });
});
