import { useQuery } from '@tanstack/react-query';
import { encodeFunctionData, parseAbi } from 'viem/utils';
import { tokenOf, type Token } from '../abi/token.js';
import { callNode } from './call-node.js';

const ABI = parseAbi([
  'function supportsInterface(bytes4 interfaceId) view returns (bool)',
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
]);
/** Sources: ERC-721, ERC-1155 */
const INTERFACES = ['0x80ac58cd', '0xd9b67a26'] as const;

const CALLS = [
  ...INTERFACES.map((id) => encodeFunctionData({ abi: ABI, functionName: 'supportsInterface', args: [id] })),
  ...(['name', 'symbol', 'decimals', 'totalSupply'] as const).map((functionName) =>
    encodeFunctionData({ abi: ABI, functionName }),
  ),
];

/** Names and decimals hardly change. Units: ms */
const FRESH_MS = 60_000;

/** What a contract says of itself as a token; undefined when it does not answer as one. */
export function useToken(node: string, address: string, isWanted: boolean) {
  return useQuery({
    queryKey: ['token', node, address.toLowerCase()],
    queryFn: async ({ signal }): Promise<Token | null> => {
      const calls = CALLS.map((data) => ({ method: 'eth_call', params: [{ to: address, data }, 'latest'] }));
      const outcomes = await callNode(node, calls, signal);
      const [isErc721, isErc1155, name, symbol, decimals, totalSupply] = outcomes.map((outcome) =>
        outcome.kind === 'done' && typeof outcome.value === 'string' ? outcome.value : undefined,
      );
      return tokenOf({ isErc721, isErc1155, name, symbol, decimals, totalSupply }) ?? null;
    },
    enabled: isWanted,
    staleTime: FRESH_MS,
    retry: false,
  });
}
