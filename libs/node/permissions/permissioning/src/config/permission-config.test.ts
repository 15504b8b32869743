import { describe, expect, it } from '@jest/globals';
import { ZERO_ADDRESS } from '@tetrad/types';
import { MAX_CONFIG_BYTES, parsePermissionConfig } from './permission-config.js';

const at = (digit: string) => `0x${digit.repeat(40)}`;
const FILE = {
  permissionModel: 'v2',
  upgradableAddress: at('1'),
  interfaceAddress: at('2'),
  implAddress: at('3'),
  nodeMgrAddress: at('4'),
  accountMgrAddress: at('5'),
  roleMgrAddress: at('6'),
  voterMgrAddress: at('7'),
  orgMgrAddress: at('8'),
  nwAdminOrg: 'ADMINORG',
  nwAdminRole: 'ADMIN',
  orgAdminRole: 'ORGADMIN',
  accounts: [at('a'), at('B')],
  subOrgBreadth: 3,
  subOrgDepth: 4,
};
const parse = (changes: object = {}) => parsePermissionConfig(JSON.stringify({ ...FILE, ...changes }));

describe('permission-config.json', () => {
  it('gives the model, the contracts, the names and the first admins', () => {
    expect(parse()).toEqual({
      model: 'v2',
      addresses: {
        upgradable: at('1'),
        interface: at('2'),
        implementation: at('3'),
        nodeManager: at('4'),
        accountManager: at('5'),
        roleManager: at('6'),
        voterManager: at('7'),
        orgManager: at('8'),
      },
      networkAdminOrg: 'ADMINORG',
      networkAdminRole: 'ADMIN',
      orgAdminRole: 'ORGADMIN',
      accounts: [at('a'), at('b')],
      subOrgDepth: 4,
      subOrgBreadth: 3,
      unknownKeys: [],
    });
  });

  it('is read with keys and models in any case, with both spellings of the upgradable contract', () => {
    const { upgradableAddress } = FILE;
    const rest = { ...FILE, permissionModel: undefined, upgradableAddress: undefined };
    const other = { ...rest, PermissionModel: 'V1', upgrdableAddress: upgradableAddress, comment: 'x' };
    expect(parsePermissionConfig(JSON.stringify(other))).toMatchObject({
      model: 'v1',
      addresses: { upgradable: at('1') },
      unknownKeys: ['comment'],
    });
  });

  it('needs only what is used at the start: all addresses but that of the interface may be missing', () => {
    const { permissionModel, interfaceAddress, accounts, subOrgBreadth, subOrgDepth } = FILE;
    const least = { permissionModel, interfaceAddress, accounts, subOrgBreadth, subOrgDepth };
    expect(parsePermissionConfig(JSON.stringify(least))).toMatchObject({
      addresses: { orgManager: ZERO_ADDRESS },
      networkAdminOrg: '',
    });
  });

  it.each([
    [
      'no model',
      { permissionModel: undefined, accounts: [] },
      'permissions model type not passed in permission-config.json. Network cannot boot up',
    ],
    [
      'an unknown model',
      { permissionModel: 'v3', accounts: [] },
      'invalid permissions model type passed in permission-config.json. Network cannot boot up',
    ],
    [
      'no accounts',
      { accounts: [], subOrgDepth: 0 },
      'no accounts given in permission-config.json. Network cannot boot up',
    ],
    [
      'no depth',
      { subOrgDepth: 0, interfaceAddress: ZERO_ADDRESS },
      'sub org breadth depth not passed in permission-config.json. Network cannot boot up',
    ],
    [
      'no breadth',
      { subOrgBreadth: undefined },
      'sub org breadth depth not passed in permission-config.json. Network cannot boot up',
    ],
    [
      'no interface',
      { interfaceAddress: ZERO_ADDRESS },
      'missing contract addresses in permission-config.json',
    ],
    ['a short address', { orgMgrAddress: '0x12' }, 'orgMgrAddress: must be an address'],
    ['a key twice', { NWADMINORG: 'x' }, 'NWADMINORG: duplicate key'],
  ])('with %s is refused with the reference’s text for the first broken rule', (_, changes, text) => {
    expect(() => parse(changes)).toThrow(text);
  });

  it('is bounded, and must be an object', () => {
    expect(() => parsePermissionConfig('x'.repeat(MAX_CONFIG_BYTES + 1))).toThrow('larger than');
    expect(() => parsePermissionConfig('[]')).toThrow('must be a JSON object');
    expect(() => parsePermissionConfig('{')).toThrow('JSON');
  });
});
