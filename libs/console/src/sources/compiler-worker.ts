import { parentPort } from 'node:worker_threads';
import { announceLoaded } from '@tetrad/types';
import { boundMemory, type GrowingMemory } from './bound-memory.js';
import type { CodePlace, CompiledContract, CompilerAnswer } from './compiled-contract.js';

/** Bytes that the compiler may take beside the heap of JavaScript, which the thread's limits do not bound. */
const MAX_MEMORY = 1_073_741_824;
/** Errors that are answered, and characters of each. */
const MAX_ERRORS = 20;
const MAX_ERROR = 2_000;

/** The types of Node.js know WebAssembly by its types alone. */
const { prototype: memories } = (
  globalThis as unknown as {
    readonly WebAssembly: { readonly Memory: { readonly prototype: GrowingMemory } };
  }
).WebAssembly.Memory;

interface Compiler {
  compile(input: string): string;
  version(): string;
}

interface Output {
  readonly errors?: readonly {
    readonly severity: string;
    readonly formattedMessage?: string;
    readonly message: string;
  }[];
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, OutputContract>>>>;
}

interface OutputContract {
  readonly abi: readonly unknown[];
  readonly evm: {
    readonly deployedBytecode: {
      readonly object: string;
      readonly immutableReferences?: Readonly<Record<string, readonly CodePlace[]>>;
      readonly linkReferences?: Readonly<Record<string, Readonly<Record<string, readonly CodePlace[]>>>>;
    };
  };
}

/** Entry of the thread that compiles one input, which is one message. */
parentPort?.on(
  'message',
  (input: string) => void compile(input).then((answer) => parentPort?.postMessage(answer)),
);
announceLoaded();

async function compile(input: string): Promise<CompilerAnswer> {
  try {
    boundMemory(memories, MAX_MEMORY);
    // Loaded here, so that what it fails with is answered.
    const { default: compiler } = (await import('solc')) as { readonly default: Compiler };
    const version = compiler.version();
    const { errors = [], contracts = {} } = JSON.parse(compiler.compile(input)) as Output;
    const found = errors.filter(({ severity }) => severity === 'error');
    if (found.length > 0) {
      const texts = found.map(({ formattedMessage, message }) => formattedMessage ?? message);
      return { version, errors: texts.slice(0, MAX_ERRORS).map((text) => text.slice(0, MAX_ERROR)) };
    }
    const all = Object.entries(contracts).flatMap(([file, byName]) =>
      Object.entries(byName).map(([name, contract]) => toContract(file, name, contract)),
    );
    return { version, contracts: all.filter(({ code }) => code !== '') };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

function toContract(file: string, name: string, { abi, evm }: OutputContract): CompiledContract {
  const { object: code, immutableReferences = {}, linkReferences = {} } = evm.deployedBytecode;
  const libraries = Object.values(linkReferences).flatMap((byName) => Object.values(byName));
  return { file, name, abi, code, immutables: Object.values(immutableReferences), libraries };
}
