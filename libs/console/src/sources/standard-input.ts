import { z } from 'zod';
import { RefusedRequest } from '../calls.js';

/** Bytes of a compiler's input: some hundred files. */
export const MAX_INPUT_BYTES = 2_097_152;
/** Files of an input. */
const MAX_SOURCES = 1_000;
/** Characters of a file's name. */
const MAX_NAME = 500;

/** What is compiled, whatever the input asks for. */
const OUTPUT = {
  '*': {
    '*': [
      'abi',
      'evm.deployedBytecode.object',
      'evm.deployedBytecode.immutableReferences',
      'evm.deployedBytecode.linkReferences',
    ],
  },
};

const inputSchema = z.looseObject({
  language: z.literal('Solidity', { error: 'must be "Solidity"' }),
  sources: z
    .record(
      z.string().max(MAX_NAME),
      z.looseObject({ content: z.string({ error: 'must be the text of the file: nothing is fetched' }) }),
    )
    .refine((sources) => Object.keys(sources).length <= MAX_SOURCES, `more than ${MAX_SOURCES} files`),
  settings: z.looseObject({}).default({}),
});

/**
 * The standard JSON input of a reader, as it is given to the compiler: files, language and settings, but for the choice of outputs and the model
 * checker, which change no code.
 * @returns JSON text
 * @throws RefusedRequest, which names the member
 */
export function parseStandardInput(text: string): string {
  const parsed = inputSchema.safeParse(parseJson(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new RefusedRequest(
      400,
      `${issue?.path.join('.') || 'input'}: ${issue?.message ?? ''}`.slice(0, 300),
    );
  }
  const { language, sources, settings } = parsed.data;
  const kept = Object.entries(settings).filter(([member]) => member !== 'modelChecker');
  const files = Object.entries(sources).map(([name, { content }]) => [name, { content }] as const);
  const input = {
    language,
    sources: Object.fromEntries(files),
    settings: { ...Object.fromEntries(kept), outputSelection: OUTPUT },
  };
  return JSON.stringify(input);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RefusedRequest(400, 'the file is not JSON');
  }
}
