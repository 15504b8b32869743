import { parseAddress, type Address, type Hex } from '@tetrad/types';
import {
  PERMISSION_CONTRACTS,
  permissionAbi,
  type PermissionContract,
  type PermissionModel,
} from './permission-abi.js';
import { permissionBytecode } from './permission-bytecode.js';

export type PermissionAddresses = Readonly<Record<PermissionContract, Address>>;

export interface DeploymentOptions {
  readonly model: PermissionModel;
  /** Account that may replace the implementation later. */
  readonly guardian: Address;
  /** Contracts that an interrupted deployment has deployed. */
  readonly deployed?: Readonly<Partial<PermissionAddresses>>;
  /**
   * Sends the creation of a contract, and waits until it is mined.
   * @returns the address of the contract
   */
  create(code: Hex): Promise<Address>;
  /**
   * Sends a call as the guardian, and waits until it is mined.
   * @throws when it is reverted
   */
  send(to: Address, data: Hex): Promise<void>;
  /**
   * Makes a call without a transaction.
   * @returns the return data
   */
  ask(to: Address, data: Hex): Promise<Hex>;
  /** Called after each contract, so that an interrupted deployment can be resumed. */
  onDeployed?(deployed: Readonly<Partial<PermissionAddresses>>): Promise<void> | void;
}

/** Order of the creations: each contract comes after those that are arguments of its constructor. */
const ORDER: readonly PermissionContract[] = [
  'upgradable',
  'orgManager',
  'roleManager',
  'accountManager',
  'voterManager',
  'nodeManager',
  'interface',
  'implementation',
] as const;

/**
 * Deploys the contracts and connects them: eight creations and one call, in sequence. Contracts in `deployed` are skipped, so
 * that an interrupted deployment can be resumed.
 * @returns addresses for `permission-config.json`
 * @throws PermissionBytecodeError; whatever sending fails with
 */
export async function deployPermissions(options: DeploymentOptions): Promise<PermissionAddresses> {
  const deployed = new Map<PermissionContract, Address>();
  const tell = () => options.onDeployed?.(Object.fromEntries(deployed));
  for (const contract of ORDER) {
    const before = options.deployed?.[contract];
    deployed.set(contract, before ?? (await options.create(await creationCode(options, contract, deployed))));
    if (before === undefined) await tell();
  }
  const addresses = completeAddresses(deployed);
  await connect(options, addresses);
  return addresses;
}

async function creationCode(
  { model, guardian }: DeploymentOptions,
  contract: PermissionContract,
  deployed: ReadonlyMap<PermissionContract, Address>,
): Promise<Hex> {
  const { inputs } = permissionAbi(model, contract).deploy;
  // Each parameter has the name of the contract whose address it takes.
  const values = inputs.map(({ name }) =>
    name === 'guardian' ? guardian : deployed.get(name as PermissionContract),
  );
  const encoded = permissionAbi(model, contract).encodeDeploy(values);
  return `${await permissionBytecode(model, contract)}${encoded.slice(2)}` as Hex;
}

function completeAddresses(deployed: ReadonlyMap<PermissionContract, Address>): PermissionAddresses {
  const entries = PERMISSION_CONTRACTS.map((contract) => [contract, deployed.get(contract)]);
  return Object.fromEntries(entries) as PermissionAddresses;
}

/** Connects the contracts. This is possible only once, and an interrupted deployment may have done it. */
async function connect(options: DeploymentOptions, addresses: PermissionAddresses): Promise<void> {
  const abi = permissionAbi(options.model, 'upgradable');
  const { upgradable, interface: permissionsInterface, implementation } = addresses;
  const answer = await options.ask(upgradable, abi.encodeFunctionData('getPermImpl') as Hex);
  const [current] = abi.decodeFunctionResult('getPermImpl', answer);
  if (parseAddress(current) === implementation) return;
  await options.send(
    upgradable,
    abi.encodeFunctionData('init', [permissionsInterface, implementation]) as Hex,
  );
}
