import {
  permissionViews,
  type PermissionAddresses,
  type PermissionModel,
  type PermissionView,
} from '@tetrad/node-permission-contracts';
import type { Address } from '@tetrad/types';
import type { ContractState } from './contract-state.js';

/** What the contracts of permission-config.json said when each was called. */
export interface ContractAnswers {
  /** Names of contracts that gave no valid answer: no code at the address, another contract, or one of another model. */
  readonly silent: readonly (keyof PermissionAddresses)[];
  /** Whether any contract answered. */
  readonly anyAnswered: boolean;
  /** The implementation that the interface calls, where it is not the one of the file. */
  readonly otherImplementation: Address | undefined;
}

/**
 * Calls a view of each contract; the one of votes has no view for others, and is not called.
 * @throws as reads of the state do
 */
export async function askContracts(
  state: Pick<ContractState, 'ask'>,
  { model, addresses }: { readonly model: PermissionModel; readonly addresses: PermissionAddresses },
): Promise<ContractAnswers> {
  const views = permissionViews(model);
  const asked: readonly PermissionView<[], unknown>[] = [
    views.networkBootStatus,
    views.policy,
    views.currentImplementation,
    views.numberOfOrgs,
    views.numberOfRoles,
    views.numberOfAccounts,
    views.numberOfNodes,
  ];
  const silent: (keyof PermissionAddresses)[] = [];
  for (const view of asked) if ((await state.ask(view)) === undefined) silent.push(view.contract);
  const current = await state.ask(views.implementation);
  return {
    silent,
    anyAnswered: silent.length < asked.length,
    otherImplementation: current === addresses.implementation ? undefined : current,
  };
}
