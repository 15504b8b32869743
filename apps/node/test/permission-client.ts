import { expect } from '@jest/globals';
import { until } from '@tetrad/testkit';
import type { Address } from '@tetrad/types';
import type { RunningNode } from './running-node.js';

interface Entry {
  readonly status: number;
}

/** Asks a node for permission methods, in the name of the accounts that it holds. */
export class PermissionClient {
  constructor(readonly node: RunningNode) {}

  /** Performs an action that is let through, and waits until it is mined, whatever the contracts make of it. */
  async done(method: string, params: readonly unknown[], from: Address): Promise<void> {
    const answer = await this.node.call(method, [...params, { from }]);
    expect(answer).toMatchObject({ result: 'Action completed successfully' });
    const count = (block: string) => this.node.result<string>('eth_getTransactionCount', [from, block]);
    const pending = await count('pending');
    await until(async () => BigInt(await count('latest')) >= BigInt(pending));
  }

  /** The text with which an action is refused. */
  async refused(method: string, params: readonly unknown[], from: Address): Promise<string | undefined> {
    const { error } = await this.node.call(method, [...params, { from }]);
    if (error !== undefined) expect(error.code).toBe(-32000);
    return error?.message;
  }

  async orgStatus(fullOrgId: string): Promise<number | undefined> {
    return (await this.entry('chainPermission_orgList', { fullOrgId }))?.status;
  }

  async nodeStatus(url: string): Promise<number | undefined> {
    return (await this.entry('chainPermission_nodeList', { url }))?.status;
  }

  account(acctId: Address): Promise<(Entry & Readonly<Record<string, unknown>>) | undefined> {
    return this.entry('chainPermission_acctList', { acctId });
  }

  async accountStatus(acctId: Address): Promise<number | undefined> {
    return (await this.account(acctId))?.status;
  }

  role(orgId: string, roleId: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    return this.entry('chainPermission_roleList', { orgId, roleId });
  }

  /** Whether the account may send a transaction now. */
  allowed(transaction: object): Promise<boolean> {
    return this.node.result<boolean>('chainPermission_transactionAllowed', [transaction]);
  }

  private async entry(list: string, wanted: Readonly<Record<string, string>>) {
    const entries = await this.node.result<(Entry & Readonly<Record<string, unknown>>)[]>(list);
    return entries.find((entry) => Object.entries(wanted).every(([key, value]) => entry[key] === value));
  }
}
