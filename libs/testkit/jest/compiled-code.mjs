/** Code from V8's cache loses the callback that dynamic imports need. */
const DYNAMIC_IMPORT = /\bimport\s*\(/;

/**
 * Keeps what V8 makes of each source, for the test files that this process runs later: each of them loads Jest and the packages anew,
 * hundreds of sources, most of which the process has compiled before.
 * @param vm - the module `node:vm` that Jest uses, or its two members
 */
export function keepCompiledCode(vm) {
  keepModules(vm, new CompiledCode());
  keepFunctions(vm, new CompiledCode());
}

function keepModules(vm, kept) {
  const { SourceTextModule } = vm;
  vm.SourceTextModule = class extends SourceTextModule {
    constructor(code, options) {
      const cachedData = kept.get(options.identifier, code);
      super(code, { ...options, cachedData });
      if (cachedData === undefined) kept.set(options.identifier, code, () => this.createCachedData());
    }
  };
}

function keepFunctions(vm, kept) {
  const { compileFunction } = vm;
  vm.compileFunction = (code, parameters, options) => {
    const cachedData = kept.get(options.filename, code);
    const produceCachedData = cachedData === undefined;
    const made = compileFunction(code, parameters, { ...options, cachedData, produceCachedData });
    if (produceCachedData) kept.set(options.filename, code, () => made.cachedData);
    return made;
  };
}

class CompiledCode {
  #byFile = new Map();

  /** V8 compares no more of the source than its length, so that the text is compared here. */
  get(file, code) {
    const kept = this.#byFile.get(file);
    return kept?.code === code ? kept.data : undefined;
  }

  set(file, code, compile) {
    if (file === undefined || DYNAMIC_IMPORT.test(code)) return;
    this.#byFile.set(file, { code, data: compile() });
  }
}
