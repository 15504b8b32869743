import { useQuery } from '@tanstack/react-query';
import { heldOf, type Held } from '../privacy/held-contract.js';
import { callNode, valueOf, type Call, type Outcome } from './call-node.js';
import { activeExtensionsSchema, metadataSchema } from './privacy-shapes.js';
import { served } from './queries.js';
import { bytesSchema } from './shapes.js';

/** A block whose state is read: its number as hex, or a tag. */
export type BlockId = string;

/** The id of a block that a reader wrote; undefined for what is none. */
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
  /** Wei. */
  readonly value?: bigint;
}

/** What a call of a contract comes to without being sent. */
export type CallOutcome =
  | { readonly kind: 'returned'; readonly data: string }
  /** Data is undefined where the node gives a reason without. */
  | { readonly kind: 'failed'; readonly message: string; readonly data: string | undefined };

/** Executes a call at a node without sending it. Fails: Failure when the node does not answer */
export async function executeCall(node: string, call: ContractCall, block: BlockId): Promise<CallOutcome> {
  const { from, to, data, value } = call;
  const request = {
    ...(from === undefined ? {} : { from }),
    ...{ to, data },
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
