/** Given to Jest for a context: what is made in it belongs to the realm of this process. */
export const NO_CONTEXT = Object.freeze({});

/**
 * Makes modules and functions that Jest wants in `NO_CONTEXT` without a context.
 * @param vm - the module `node:vm` that Jest uses, or its three members
 */
export function withoutContexts(vm) {
  const { SourceTextModule, SyntheticModule, compileFunction } = vm;
  vm.SourceTextModule = class extends SourceTextModule {
    constructor(code, options) {
      super(code, unlessNone(options, 'context'));
    }
  };
  vm.SyntheticModule = class extends SyntheticModule {
    constructor(names, evaluate, options) {
      super(names, evaluate, unlessNone(options, 'context'));
    }
  };
  vm.compileFunction = (code, parameters, options) =>
    compileFunction(code, parameters, unlessNone(options, 'parsingContext'));
}

function unlessNone(options, name) {
  return options?.[name] === NO_CONTEXT ? { ...options, [name]: undefined } : options;
}
