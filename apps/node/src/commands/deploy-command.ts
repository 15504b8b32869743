import { readFile, rm } from 'node:fs/promises';
import { writeWhole } from '@tetrad/files';
import {
  PERMISSION_CONTRACTS,
  deployPermissions,
  permissionConfigText,
  type PermissionAddresses,
  type PermissionModel,
  type PermissionPolicy,
} from '@tetrad/node-permission-contracts';
import { RpcCallError, RpcTransportError } from '@tetrad/rpc';
import {
  choiceOption,
  defineOptions,
  durationOption,
  integerOption,
  listOption,
  option,
  pathOption,
  textOption,
  urlOption,
  type ConfigOf,
} from '@tetrad/service';
import { OperatorError, isAddress, parseAddress, systemClock, type Address } from '@tetrad/types';
import { z } from 'zod';
import { addressOption } from '../options/address-option.js';
import { RemoteAccount } from './remote-account.js';

const CHAIN = 'Chain';
const POLICY = 'Policy';

export const deployOptions = defineOptions({
  chainUrl: option(urlOption('http', 'https'), {
    group: CHAIN,
    description: 'JSON-RPC of a node of the network, which is not permissioned yet.',
    default: new URL('http://127.0.0.1:22000'),
  }),
  from: option(addressOption(), {
    group: CHAIN,
    description: 'Account of that node that deploys the contracts and may exchange their rules later.',
    required: true,
  }),
  transactionTimeout: option(durationOption({ min: 1_000 }), {
    group: CHAIN,
    description: 'Longest wait for one of the transactions.',
    default: 300_000,
  }),
  out: option(pathOption(), {
    group: CHAIN,
    description:
      'Output file, for the data folder of every node. Progress is kept next to it until the deployment is complete, so that the command can be repeated.',
    default: 'permission-config.json',
  }),
  model: option(choiceOption('v1', 'v2'), {
    group: POLICY,
    description: 'v1: nodes decide by their own records; v2: they call the contracts.',
    default: 'v2',
  }),
  networkAdminOrg: option(textOption('NAME'), {
    group: POLICY,
    description: "Org of the network's admins.",
    default: 'ADMINORG',
  }),
  networkAdminRole: option(textOption('NAME'), {
    group: POLICY,
    description: "Role of the network's admins.",
    default: 'ADMIN',
  }),
  orgAdminRole: option(textOption('NAME'), {
    group: POLICY,
    description: 'Role of the admin of each org.',
    default: 'ORGADMIN',
  }),
  adminAccounts: option(listOption(addressOption()), {
    group: POLICY,
    description: 'Accounts of the first network admins.',
    required: true,
  }),
  subOrgDepth: option(integerOption({ min: 1, max: 100 }), {
    group: POLICY,
    description: 'Level that a sub-org may have at most; a master org has 1.',
    default: 4,
  }),
  subOrgBreadth: option(integerOption({ min: 1, max: 1_000 }), {
    group: POLICY,
    description: 'Direct sub-orgs that an org may have at most.',
    default: 4,
  }),
});

type DeployConfig = ConfigOf<typeof deployOptions>;

/**
 * Deploys the permission contracts and writes the `permission-config.json` with which nodes find them. Continues an
 * interrupted deployment.
 * @returns a line of JSON for the operator
 * @throws OperatorError; PermissionBytecodeError
 */
export async function deployNetworkPermissions(config: DeployConfig): Promise<string> {
  const { chainUrl, from, model, out } = config;
  const account = new RemoteAccount({
    url: chainUrl.href,
    address: from,
    clock: systemClock,
    timeoutMs: config.transactionTimeout,
  });
  const progress = progressFile(`${out}.deployed`, { model, guardian: from });
  try {
    const addresses = await deployPermissions({
      model,
      guardian: from,
      create: account.create,
      send: account.send,
      ask: account.ask,
      deployed: await progress.read(),
      onDeployed: progress.write,
    });
    await writeWhole(out, permissionConfigText(policyOf(config), addresses), 0o644);
    await progress.remove();
    return JSON.stringify({ model, guardian: from, out, ...addresses });
  } catch (error) {
    if (error instanceof RpcCallError || error instanceof RpcTransportError)
      throw new OperatorError(`${chainUrl.href}: ${error.message}`, { cause: error });
    throw error;
  } finally {
    await account.close();
  }
}

const policyOf = ({ model, adminAccounts: accounts, ...config }: DeployConfig): PermissionPolicy => ({
  model,
  accounts,
  subOrgDepth: config.subOrgDepth,
  subOrgBreadth: config.subOrgBreadth,
  networkAdminOrg: config.networkAdminOrg,
  networkAdminRole: config.networkAdminRole,
  orgAdminRole: config.orgAdminRole,
});

const addressSchema = z.string().refine(isAddress).transform(parseAddress);
const progressSchema = z.strictObject({
  model: z.enum(['v1', 'v2']),
  guardian: addressSchema,
  deployed: z.partialRecord(z.enum(PERMISSION_CONTRACTS), addressSchema),
});

/** Contracts deployed so far, from which an interrupted deployment is continued. */
function progressFile(path: string, of: { readonly model: PermissionModel; readonly guardian: Address }) {
  return {
    /** @throws OperatorError when it is of another deployment */
    async read(): Promise<Partial<PermissionAddresses>> {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        return undefined;
      });
      if (text === undefined) return {};
      const { deployed, ...before } = progressSchema.parse(JSON.parse(text));
      if (before.model !== of.model || before.guardian !== of.guardian)
        throw new OperatorError(
          `${path} is of a deployment of ${before.model} by ${before.guardian}; remove it to begin another`,
        );
      return deployed as Partial<PermissionAddresses>;
    },
    write: (deployed: Readonly<Partial<PermissionAddresses>>) =>
      writeWhole(path, `${JSON.stringify({ ...of, deployed }, null, 2)}\n`, 0o644),
    remove: () => rm(path, { force: true }),
  };
}
