/** The two members of `node:vm` that compile for Jest. */
export interface Compilers {
  SourceTextModule: unknown;
  compileFunction: (code: string, parameters: string[], options: object) => (...args: unknown[]) => unknown;
}

export function keepCompiledCode(vm: Compilers): void;
