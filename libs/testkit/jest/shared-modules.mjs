import { existsSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { keepAll } from './kept-members.mjs';
import { addingToRealm } from './kept-realm.mjs';

const require = createRequire(import.meta.url);
/** A script in the innermost `node_modules`, and the name of its package. */
const PACKAGE = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/).*\.[cm]?js$/;
/** A source of this repository, with the folder of its project. */
const SOURCE = /^((?:(?!\/node_modules\/).)*)\/src\/((?!.*\.test\.ts$).*)\.ts$/;
/** Jest gives each file its own of these. */
const OF_JEST = /^(@jest\/|jest$|jest-|expect$|@tetrad\/)/;
/** Wraps functions of its addon, one object for all who load it, each time that one of its modules is loaded. */
const CHANGES_ITSELF = /\/node_modules\/koffi\//;

// Sources ask for the compiler as services do, without Jest's table of names; a contract is compiled once in a run.
require.cache[require.resolve('solc')] = Object.assign(new Module(require.resolve('solc')), {
  exports: require('./kept-solc.cjs'),
  loaded: true,
});

/** What each shared module exports, by path. */
const loaded = new Map();
/** The members of what they export, as they were when the module was loaded, by path. */
const kept = new Map();
/** What the file that runs has imported, and could have changed. */
const imported = new Set();

/**
 * Lets a test file import packages, and the sources of this repository as they are built, as this process has loaded them: once for all
 * its files, by Node.js itself, as services do. Test files and what they import from folders of tests are loaded for each file, and so
 * is what a file replaces by a mock.
 * @param esmLoader - that of the Jest runtime of the file
 * @param environment.sharesSources - false for a file that replaces one of our sources for those that import it
 */
export function shareModules(esmLoader, { sharesSources }) {
  const resolveModule = esmLoader.resolveModule.bind(esmLoader);
  const linked = new Map();
  // From Node.js 24.9 on, Jest links a graph synchronously without asking for each module, unless a resolver can only be asked so.
  esmLoader.resolution.hasDistinctAsyncResolver = () => true;
  esmLoader.resolveModule = async (specifier, from, context) => {
    const path = await sharedPath(specifier, from, esmLoader, sharesSources);
    if (path === undefined) return resolveModule(specifier, from, context);
    if (!linked.has(path)) linked.set(path, link(path, isBuilt(path) || esmLoader.shouldLoadAsEsm(path)));
    return linked.get(path);
  };
}

/** @throws Error that names the members that the file has changed in modules which it imports, after it has put them back */
export function restoreModules() {
  const errors = [...imported].flatMap((path) => {
    try {
      kept.get(path)?.restore();
      return [];
    } catch (error) {
      return [error.message];
    }
  });
  imported.clear();
  if (errors.length > 0) throw new Error(errors.join('\n'));
}

/** Undefined for what is not shared. */
async function sharedPath(specifier, from, { resolution, mockState }, sharesSources) {
  if (/^(@jest\/|node:|data:)/.test(specifier) || specifier.includes('?')) return undefined;
  const path = await resolution.resolveEsmAsync(from, specifier);
  const shared = (sharesSources ? builtPath(path) : undefined) ?? thirdPartyPath(path);
  if (shared === undefined) return undefined;
  const { shouldMock } = await mockState.shouldMockEsmAsync(from, specifier);
  return shouldMock ? undefined : shared;
}

function thirdPartyPath(path) {
  const name = PACKAGE.exec(path)?.[1];
  return name === undefined || OF_JEST.test(name) ? undefined : path;
}

/** What a source of this repository is built to; undefined for other files, and for sources that are in no package. */
function builtPath(path) {
  const source = SOURCE.exec(path);
  if (source === null) return undefined;
  const [, project, name] = source;
  const built = `${project}/dist/${name}.js`;
  return existsSync(built) ? built : undefined;
}

/** Of a path that is shared. */
function isBuilt(path) {
  return !PACKAGE.test(path);
}

async function link(path, isEsm) {
  if (!loaded.has(path))
    loaded.set(
      path,
      addingToRealm(() => load(path, isEsm)),
    );
  imported.add(path);
  const members = await loaded.get(path);
  const names = Object.keys(members);
  const module = new vm.SyntheticModule(
    names,
    function setExports() {
      for (const name of names) this.setExport(name, members[name]);
    },
    { identifier: path },
  );
  await module.link(() => undefined);
  await module.evaluate();
  return module;
}

async function load(path, isEsm) {
  const members = isEsm ? await import(pathToFileURL(path).href) : membersOfCommonJs(require(path));
  if (CHANGES_ITSELF.test(path)) return members;
  // Objects of sources may be instances that keep what they have computed, as the empty code does.
  const objects = Object.entries(members)
    .filter(([, value]) => !isBuilt(path) || typeof value === 'function')
    .flatMap(([name, value]) => mutable(`${path} ${name}`, value));
  kept.set(path, keepAll(objects, isMember));
  return members;
}

/** By name, as Jest has them, and the whole as the default. */
function membersOfCommonJs(whole) {
  const members = isObject(whole)
    ? Object.fromEntries(Object.keys(whole).map((key) => [key, whole[key]]))
    : {};
  return { ...members, default: whole };
}

function mutable(name, value) {
  if (!isObject(value)) return [];
  const prototype = typeof value === 'function' && isObject(value.prototype) ? value.prototype : undefined;
  return [[name, value], ...(prototype === undefined ? [] : [[`${name}.prototype`, prototype]])];
}

/** Packages add members when they are first used (the methods of zod's schemas); what tests change is there. */
function isMember(object) {
  const keys = new Set(Reflect.ownKeys(object));
  return (key) => keys.has(key);
}

function isObject(value) {
  return (
    typeof value === 'function' || (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
  );
}
