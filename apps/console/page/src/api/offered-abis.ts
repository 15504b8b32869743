import { useQuery } from '@tanstack/react-query';
import * as z from 'zod';
import { addOfferedFiles } from '../abi/kept-abis.js';
import { getJson } from './call-node.js';

const schema = z.object({ files: z.array(z.object({ name: z.string(), text: z.string() })) });

/** Takes the ABI files that the operator offers, once for each page. The value is what is wrong with some of them. */
export function useOfferedAbis() {
  return useQuery({
    queryKey: ['offered-abis'],
    queryFn: async ({ signal }) => addOfferedFiles(schema.parse(await getJson('/api/abis', signal)).files),
    staleTime: Infinity,
  });
}
