import type { Address, Client, Hex } from 'viem';
import { callMethod } from '../wire/call-method.js';
import type { ParametersOf, ResultOf } from '../wire/method-types.js';
import {
  accountRecord,
  nodeRecord,
  orgRecord,
  type PermissionAccount,
  type PermissionNode,
  type PermissionOrg,
  type PermissionRole,
} from './records.js';

export interface ConnectionAllowedParameters {
  /** Node id. */
  readonly enodeId: string;
  readonly ipAddress: string;
  /** Peer port. */
  readonly port: number;
  readonly raftPort?: number | undefined;
}

/** Whether a node may join the network. */
export function connectionAllowed(
  client: Client,
  { enodeId, ipAddress, port, raftPort }: ConnectionAllowedParameters,
): Promise<boolean> {
  return callMethod(client, 'chainPermission_connectionAllowed', enodeId, ipAddress, port, raftPort);
}

export interface TransactionAllowedParameters {
  readonly from: Address;
  /** Absent for a contract creation. */
  readonly to?: Address | undefined;
  readonly data?: Hex | undefined;
}

/** Whether an account may send a transaction. */
export function transactionAllowed(
  client: Client,
  { from, to, data }: TransactionAllowedParameters,
): Promise<boolean> {
  return callMethod(client, 'chainPermission_transactionAllowed', { from, to, input: data });
}

type WireExplanation = ResultOf<'chainPermission_explain'>;

export interface ExplainParameters {
  readonly subject: ParametersOf<'chainPermission_explain'>[0];
  /** Address of an account, enode URL or id of a node, full id of an organization. */
  readonly id: string;
  /** Of an account `transfer` when absent, of a node `connect`. */
  readonly action?: ParametersOf<'chainPermission_explain'>[2];
  /** Recipient of the transaction. */
  readonly to?: Address | undefined;
}

/** A decision at a block, the rule behind it, and the records that it was read from. */
export type PermissionExplanation = Omit<WireExplanation, 'records'> & {
  readonly records: {
    readonly account?: PermissionAccount;
    readonly org?: PermissionOrg;
    readonly masterOrg?: PermissionOrg;
    readonly role?: PermissionRole;
    readonly nodes?: readonly PermissionNode[];
  };
};

/** Whether a permission is given, by which rule and records, and what an admin could do about it. */
export async function explain(
  client: Client,
  { subject, id, action, to }: ExplainParameters,
): Promise<PermissionExplanation> {
  const found = await callMethod(client, 'chainPermission_explain', subject, id, action ?? null, to);
  const { account, org, masterOrg, role, nodes } = found.records;
  return {
    ...found,
    records: {
      ...(account && { account: accountRecord(account) }),
      ...(org && { org: orgRecord(org) }),
      ...(masterOrg && { masterOrg: orgRecord(masterOrg) }),
      ...(role && { role }),
      ...(nodes && { nodes: nodes.map(nodeRecord) }),
    },
  };
}

export interface PreviewChangeParameters {
  /** Method that makes the change, without its prefix. */
  readonly change: ParametersOf<'chainPermission_previewChange'>[0];
  /** Parameters of that method in their order, without the transaction. */
  readonly words: readonly (string | number)[];
}

/** Who would lose and gain what. */
export type PermissionPreview = ResultOf<'chainPermission_previewChange'>;

/** Which permissions a change would take and give, as if every vote on it were won; nothing is sent. */
export function previewChange(
  client: Client,
  { change, words }: PreviewChangeParameters,
): Promise<PermissionPreview> {
  return callMethod(client, 'chainPermission_previewChange', change, words.map(String));
}
