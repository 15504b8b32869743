import { useQuery } from '@tanstack/react-query';
import * as z from 'zod';
import { heldOf, type Held } from '../privacy/held-contract.js';
import { ask, callNode, callService, valueOf, type Call, type Outcome } from './call-node.js';
import { activeExtensionsSchema, metadataSchema } from './privacy-shapes.js';
import { served } from './queries.js';
import { amountSchema, bytesSchema } from './shapes.js';

/** A block whose state is read: its number as hex, or a tag. */
export type BlockId = string;

/** The id of a block that a reader wrote; undefined for text of another form. */
export function blockIdOf(input: string): BlockId | undefined {
  const text = input.trim().replaceAll(',', '').toLowerCase();
  if (text === '') return 'latest';
  if (/^(?:latest|earliest|pending|safe|finalized)$/.test(text)) return text;
  return /^[0-9]{1,15}$/.test(text) ? `0x${Number(text).toString(16)}` : undefined;
}

/** What an address is to a node: a private contract, a public one, or nothing. */
export function useHeld(node: string, address: string) {
  return useQuery({
    queryKey: ['held', node, address],
    queryFn: async ({ signal }): Promise<Held> => {
      const calls: readonly Call[] = [
        { method: 'eth_getCode', params: [address, 'latest'] },
        { method: 'eth_getContractPrivacyMetadata', params: [address] },
      ];
      const [code, metadata] = await callNode(node, calls, signal);
      return heldOf({ code, metadata }, (value) => metadataSchema.parse(value).privacyFlag);
    },
    retry: false,
  });
}

/** The management contracts of extensions under way, in lower case; empty on a node that has none. */
export function useManagementContracts(node: string) {
  return useQuery({
    queryKey: ['management-contracts', node],
    queryFn: async ({ signal }) => {
      const call: Call = { method: 'chainExtension_activeExtensionContracts', params: [] };
      const [active] = await callNode(node, [call], signal);
      const found = served(active, activeExtensionsSchema) ?? [];
      return found.map(({ managementContractAddress }) => managementContractAddress.toLowerCase());
    },
    retry: false,
  });
}

export interface ContractCall {
  readonly from?: string | undefined;
  readonly to: string;
  readonly data: string;
  /** Value in wei. */
  readonly value?: bigint;
}

/** What a call of a contract comes to without being sent. */
export type CallOutcome =
  | { readonly kind: 'returned'; readonly data: string }
  /** Data is undefined where the node gives a reason without. */
  | { readonly kind: 'failed'; readonly message: string; readonly data: string | undefined };

/**
 * Executes a call at a node without sending it.
 * @throws Failure when the node does not answer
 */
export async function executeCall(node: string, call: ContractCall, block: BlockId): Promise<CallOutcome> {
  const { from, to, data, value } = call;
  const request = {
    ...(from === undefined ? {} : { from }),
    to,
    data,
    ...(value === undefined ? {} : { value: `0x${value.toString(16)}` }),
  };
  const [outcome] = await callNode(node, [{ method: 'eth_call', params: [request, block] }]);
  return callOutcomeOf(outcome);
}

function callOutcomeOf(outcome: Outcome | undefined): CallOutcome {
  if (outcome?.kind === 'refused')
    return { kind: 'failed', message: outcome.message, data: outcome.reverted };
  return { kind: 'returned', data: bytesSchema.parse(valueOf(outcome)) };
}

/**
 * Gas that a call would use now.
 * @throws Failure with the text of the node
 */
export async function estimateGas(
  node: string,
  { from, to, data, value }: Required<ContractCall>,
  signal: AbortSignal,
): Promise<bigint> {
  const request = { from, to, data, value: `0x${value.toString(16)}` };
  return amountSchema.parse(await ask(node, { method: 'eth_estimateGas', params: [request] }, signal));
}

/** Accounts of the signer that are offered. */
const MAX_ACCOUNTS = 300;
const accountsSchema = z.array(z.string().regex(/^0x[0-9a-f]{40}$/i));

/** The accounts that the signer has keys of, and the chain that its Ethereum client is on. */
export function useSigningAccounts() {
  return useQuery({
    queryKey: ['signing-accounts'],
    queryFn: async ({ signal }) => {
      const calls = ['eth_accounts', 'eth_chainId'].map((method) => ({ method, params: [] }));
      const [accounts, chain] = await callService('signer', calls, signal);
      return {
        accounts: accountsSchema.parse(valueOf(accounts)).slice(0, MAX_ACCOUNTS),
        chain: amountSchema.parse(valueOf(chain)),
      };
    },
    retry: false,
  });
}
