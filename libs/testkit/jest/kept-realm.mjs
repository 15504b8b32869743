import { keepAll, keepMembers } from './kept-members.mjs';

/** Builtins that programs extend, with their prototypes. */
const BUILTINS = [
  ['Object', Object],
  ['Function', Function],
  ['Array', Array],
  ['String', String],
  ['Number', Number],
  ['BigInt', BigInt],
  ['Boolean', Boolean],
  ['Symbol', Symbol],
  ['Date', Date],
  ['Promise', Promise],
  ['RegExp', RegExp],
  ['Map', Map],
  ['Set', Set],
  ['WeakMap', WeakMap],
  ['ArrayBuffer', ArrayBuffer],
  ['Uint8Array', Uint8Array],
  ['DataView', DataView],
  ['Buffer', Buffer],
  ['Math', Math],
  ['JSON', JSON],
  ['Reflect', Reflect],
].flatMap(([name, value]) => [
  [name, value],
  ...(value.prototype === undefined ? [] : [[`${name}.prototype`, value.prototype]]),
]);

/** The connections of `fetch`, which Node.js adds at the first call. */
const OF_FETCH = /^undici\./;
/** What Prisma's client adds, which our sources load at its first use, and reads ever after. */
const OF_PRISMA = ['DEBUG', 'DEBUG_COLORS', 'NODE_CLIENT', 'PRISMA_WASM_PANIC_REGISTRY'];

/** What packages added when they were loaded, which they find later: global variables, and listeners of the process. */
const ofPackages = { keys: new Set(), listeners: new Set() };

/** Loads a package that lives as long as this process, with what it adds to the realm. */
export async function addingToRealm(load) {
  const keys = new Set(Reflect.ownKeys(globalThis));
  const listeners = new Set(listenersOf(process));
  const loaded = await load();
  // A generated client of Prisma sets it, and a package that looks whether it is a CommonJS module would take it for its own folder.
  Reflect.deleteProperty(globalThis, '__dirname');
  for (const key of Reflect.ownKeys(globalThis)) if (!keys.has(key)) ofPackages.keys.add(key);
  for (const listener of listenersOf(process))
    if (!listeners.has(listener)) ofPackages.listeners.add(listener);
  return loaded;
}

/**
 * Remembers global variables, the process with its environment and listeners, and the members of builtins.
 * @returns what puts all back; it throws an Error that names the members of builtins that were changed
 */
export function keepRealm() {
  const globals = keepMembers(globalThis, (key) => !ofPackages.keys.has(key) && !isAddedLate(key));
  const ofProcess = keepMembers(process, (key) => typeof key === 'string' && !key.startsWith('_'));
  const errors = keepMembers(Error);
  const environment = { ...process.env };
  const listeners = keepListeners(process);
  const builtins = keepAll(BUILTINS);
  return () => {
    for (const { restore } of [globals, ofProcess, errors, listeners]) restore();
    restoreEnvironment(environment);
    builtins.restore();
  };
}

function isAddedLate(key) {
  return OF_PRISMA.includes(key) || (typeof key === 'symbol' && OF_FETCH.test(Symbol.keyFor(key) ?? ''));
}

function restoreEnvironment(before) {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  for (const [name, value] of Object.entries(before))
    if (process.env[name] !== value) process.env[name] = value;
}

/** A listener that a file has added would be called in all later ones. */
function keepListeners(emitter) {
  const before = new Set(listenersOf(emitter));
  return {
    restore() {
      for (const name of emitter.eventNames())
        for (const listener of emitter.rawListeners(name))
          if (!before.has(listener) && !ofPackages.listeners.has(listener))
            emitter.removeListener(name, listener);
    },
  };
}

function listenersOf(emitter) {
  return emitter.eventNames().flatMap((name) => emitter.rawListeners(name));
}
